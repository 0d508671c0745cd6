import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { rootDir } from '../../platform/common/package.js'
import { PARTS, type Part } from '../deep/parts.js'

/** The records of a CI machine from one run to the next. */
interface Memory {
  commit: string | null
  /** The number of runs since each part ran. */
  waited: Record<string, number>
}

const file = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'svc-ci', 'parts.json')

/** Nothing, on a machine without an earlier run. */
export function recall(): Memory {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { commit: null, waited: {} }
  }
}

export function remember({ waited }: Memory, ran: readonly Part[]): void {
  const commit = git('rev-parse', 'HEAD')?.trim() ?? null
  const next = PARTS.map(part => [part.name, ran.includes(part) ? 0 : (waited[part.name] ?? 0) + 1] as const)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ commit, waited: Object.fromEntries(next) }))
}

/** The paths changed since a commit; null if this clone does not know it. */
export function changedSince(commit: string | null): string[] | null {
  return (commit && git('diff', '--name-only', commit, 'HEAD')?.split('\n').filter(Boolean)) || null
}

function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: rootDir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
  }
}
