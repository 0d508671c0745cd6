import type { Readable } from 'node:stream'

const ARRIVALS = ['readable', 'end', 'error', 'close'] as const

/** The first bytes of an unread stream, as many as arrive at once. They stay in the stream. */
export async function startOf(bytes: Readable): Promise<Uint8Array> {
  if (bytes.readableLength === 0 && !bytes.readableEnded && !bytes.destroyed) await firstBytes(bytes)
  const chunk: Buffer | string | null = bytes.read()
  if (chunk === null) return new Uint8Array()
  bytes.unshift(chunk)
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

/** Errors are left to the reader of the stream. */
function firstBytes(bytes: Readable): Promise<void> {
  return new Promise(resolve => {
    const arrive = () => {
      for (const event of ARRIVALS) bytes.off(event, arrive)
      resolve()
    }
    for (const event of ARRIVALS) bytes.on(event, arrive)
  })
}
