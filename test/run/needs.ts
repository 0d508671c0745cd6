import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromiumProgram } from '../chromium.js'
import type { Part } from '../deep/parts.js'
import { postgresProgram } from '../postgres-server.js'

/** Each with its package in Debian, and the command that prints its version. */
const NEEDS = [
  { program: 'redis-server', package: 'redis-server', command: 'redis-server' },
  { program: 'postgres', package: 'postgresql', command: postgresProgram('initdb') },
  { program: 'chromium', package: 'chromium-headless-shell', command: chromiumProgram() },
  { program: 'openssl', package: 'openssl', command: 'openssl' },
]

/** Debian keeps servers outside the PATH of users. */
const serverProgram = (name: string) => (existsSync(`/usr/sbin/${name}`) ? `/usr/sbin/${name}` : name)

/**
 * The programs that the tests need and this machine lacks, with the command that installs them; null if none is
 * missing.
 * @param parts the deep parts that run
 */
export function missingPrograms(parts: readonly Part[] = []): string | null {
  const ofParts = parts
    .flatMap(({ programs = [] }) => programs)
    .map(program => ({ program, package: program, command: serverProgram(program) }))
  const missing = [...NEEDS, ...ofParts].filter(({ command }) => !isInstalled(command))
  if (missing.length === 0) return null
  const programs = missing.map(({ program }) => program).join(', ')
  const packages = missing.map(need => need.package).join(' ')
  return `The tests need ${programs}. On Debian and Ubuntu:\n  sudo apt-get install ${packages}\n`
}

/** Whether this machine lacks a program that only this part needs. */
export const lacksServers = ({ programs = [] }: Part): boolean =>
  programs.some(program => !isInstalled(serverProgram(program)))

function isInstalled(command: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
