import { setTimeout as pause } from 'node:timers/promises'

/** Waits until this holds; the runner ends what takes for ever. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10)
}
