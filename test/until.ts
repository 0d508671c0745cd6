import { setTimeout as pause } from 'node:timers/promises'

/** Waits until this is true; the runner ends a test that takes for ever. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10)
}
