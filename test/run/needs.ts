import { execFileSync } from 'node:child_process'
import { chromiumProgram } from '../chromium.js'
import { postgresProgram } from '../postgres-server.js'

/** Each with its package in Debian, and what prints its version. */
const NEEDS = [
  { program: 'redis-server', package: 'redis-server', command: 'redis-server' },
  { program: 'postgres', package: 'postgresql', command: postgresProgram('initdb') },
  { program: 'chromium', package: 'chromium-headless-shell', command: chromiumProgram() },
  { program: 'openssl', package: 'openssl', command: 'openssl' },
]

/** What the tests need and this machine lacks, with the command that installs it; null when everything is there. */
export function missingPrograms(): string | null {
  const missing = NEEDS.filter(({ command }) => !isInstalled(command))
  if (missing.length === 0) return null
  const programs = missing.map(({ program }) => program).join(', ')
  const packages = missing.map(need => need.package).join(' ')
  return `The tests need ${programs}. On Debian and Ubuntu:\n  sudo apt-get install ${packages}\n`
}

function isInstalled(command: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
