import { UnreadableFile } from './format.js'

/** Maximum MiB of a document that is held in memory. */
const MAX = 64

/** All bytes of a document that cannot be read as a stream. @throws UnreadableFile if it is too large */
export async function wholeOf(bytes: AsyncIterable<Uint8Array>, kind: string, most = MAX): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > most * 1_048_576) throw new UnreadableFile(`This ${kind} is larger than ${most} MiB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Bytes as a stream of one piece. */
export async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
