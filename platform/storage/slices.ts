import { setTimeout as pause } from 'node:timers/promises'

/** Pause between slices of background work, so that other writers can proceed. */
const PAUSE_MS = 5

/**
 * Runs long background work, such as clean-up, in slices. Each `slice` is one short transaction and returns
 * whether there may be more to do.
 */
export async function inSlices(slice: () => Promise<boolean>): Promise<void> {
  while (await slice()) await pause(PAUSE_MS)
}
