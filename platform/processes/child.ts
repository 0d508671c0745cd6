import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHILD, sharedOfThisThread } from './thread.js'

/** The memory limits of a child process. Beyond them, the process ends. */
export interface ChildLimits {
  /** Memory for objects. */
  heapMb: number
  /** Total memory, including buffers outside the heap and the program itself. */
  memoryMb: number
}

/** Settings of the system that a child needs. The settings of the service are not passed on: some are secrets. */
const ENVIRONMENT = ['PATH', 'TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_V8_COVERAGE']

/** The running ones of this thread. */
const children = new Set<ChildProcess>()

/**
 * Starts a process running the module `name` next to `from` (an `import.meta.url`): compiled, or TypeScript with
 * the loader of this process. The module calls `serve`. It ends with this process. The latest one of a thread ends with the
 * thread, regardless of how that ends.
 */
export function startChild(name: string, from: string, { heapMb, memoryMb }: ChildLimits): ChildProcess {
  const extension = extname(from)
  const guard = fileURLToPath(new URL(`./guard-worker${extname(import.meta.url)}`, import.meta.url))
  const child = fork(new URL(`./${name}${extension}`, from), [guard, `${process.pid}`, `${memoryMb}`], {
    execArgv: [...(extension === '.ts' ? process.execArgv : []), `--max-old-space-size=${heapMb}`],
    env: Object.fromEntries(ENVIRONMENT.map(variable => [variable, process.env[variable]])),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { pid = 0 } = child
  const shared = sharedOfThisThread()
  if (shared) Atomics.store(shared, CHILD, pid)
  children.add(child)
  child.once('exit', () => {
    children.delete(child)
    if (shared) Atomics.compareExchange(shared, CHILD, pid, 0)
  })
  return child
}

/** Resolves when the process has ended. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  // With nothing else to do, Node would exit with 13 instead of waiting.
  child.ref()
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Ends those of this thread. */
export const endChildren = () => Promise.all([...children].map(endChild))

/** How V8 and the guard of a child (`guard-worker.ts`) end it. 134: the exit code on Windows instead of SIGABRT. */
const OUT_OF_MEMORY = new Set<unknown>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL', 134])

/** Whether a child that ended in this way, unasked, has used too much memory. */
export const ranOutOfMemory = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  OUT_OF_MEMORY.has(signal ?? code)

const PAGE_BYTES = 4096

/** The memory of a child in bytes, if the system provides it; elsewhere null. */
export function memoryOf({ pid }: ChildProcess): number | null {
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return Number(pages) * PAGE_BYTES
  } catch {
    return null
  }
}

/** Bytes of memory that this process and its children may use: the machine's, or the limit of its container (cgroup). */
export function machineMemory(total = totalmem(), constrained = process.constrainedMemory()): number {
  // 0 or an impossibly large number: no limit.
  return constrained > 0 ? Math.min(total, constrained) : total
}
