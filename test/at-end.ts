/** Resources that the tests of a process share. They end with the process. */
const closing: (() => Promise<void>)[] = []

/** Closes something when the process has run its last file. */
export function atEnd(close: () => Promise<void>): void {
  closing.push(close)
}

/** Called by `test/run/process.ts` after the last file. */
export async function closeAll(): Promise<void> {
  await Promise.all(closing.map(close => close()))
}
