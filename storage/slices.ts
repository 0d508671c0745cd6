import { setTimeout as pause } from 'node:timers/promises'

/** Between two slices of work that nobody waits for, so that other writers get their turn. */
const PAUSE_MS = 5

/**
 * Does long work bit by bit: `slice` does some of it, in one short transaction, and says whether there may be more.
 * Whatever grows with use is cleaned up so.
 */
export async function inSlices(slice: () => Promise<boolean>): Promise<void> {
  while (await slice()) await pause(PAUSE_MS)
}
