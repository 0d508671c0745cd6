import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

/** Milliseconds per tick in /proc, on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** The machine on which the figures of a run were measured. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load average ${load()}`

/** The load average of the last minute. */
export const load = (): string => (loadavg()[0] ?? 0).toFixed(1)

/** The value that `share` of the others are below: 0.5 is the median. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** A figure and its budget, as in a table; bold if it misses the budget. */
export const withBudget = (figure: number | string, budget: number, isMet: boolean): string =>
  `${isMet ? figure : `**${figure}**`} (${budget})`

/** The result of work, and its milliseconds: wall clock, and processor time of all threads of this process. */
export async function timed<T>(work: () => T | Promise<T>) {
  const [usage, began] = [process.cpuUsage(), performance.now()]
  const result = await work()
  const clock = performance.now() - began
  const { user, system } = process.cpuUsage(usage)
  return { result, clock, processor: (user + system) / 1000 }
}

/** The memory of a process in MB, as Linux counts it: current, or peak. 0: it has ended. */
export function memoryMb(pid: unknown, which: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(ofProcess(pid, 'status'))?.[1] ?? 0) / 1000
}

/**
 * The processor time of all threads of a process, and with `ended` of its children that have ended: fields 14 to 17 of
 * proc(5), counted from the end of the name.
 */
export function processorMs(pid: unknown, ended = false): number {
  const fields = ofProcess(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, ended ? 15 : 13).reduce((sum, field) => sum + Number(field) * MS_PER_TICK, 0)
}

/** The processes that a process has started and that have not ended. */
export function childrenOf(pid: unknown): string[] {
  const parent = new RegExp(`\\) \\S ${pid} `)
  return readdirSync('/proc').filter(entry => /^\d+$/.test(entry) && parent.test(ofProcess(entry, 'stat')))
}

/** The content of a /proc file of a process; empty if it has ended. */
function ofProcess(pid: unknown, file: 'status' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
