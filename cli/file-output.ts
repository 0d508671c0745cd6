import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

/**
 * An output of this process that continues after errors of a file: Node's own stream writes nothing more after a disk was full,
 * even if there is space again. Each lost chunk is an `error` event.
 */
export function outputTo(
  fd: number,
  stream: NodeJS.WriteStream,
  write = writeSync,
): NodeJS.WriteStream | Writable {
  const stat = fstatSync(fd)
  if (stream.isTTY || !(stat.isFile() || stat.isCharacterDevice())) return stream
  let isCut = false
  return new Writable({
    write(this: Writable, chunk: Buffer, _encoding, done) {
      try {
        // The part of a line written before the disk was full becomes a separate line.
        let left = isCut ? Buffer.concat([NEW_LINE, chunk]) : chunk
        while (left.length > 0) {
          left = left.subarray(write(fd, left))
          isCut = left.length > 0
        }
      } catch (error) {
        process.nextTick(() => this.emit('error', error))
      }
      done()
    },
  })
}

const NEW_LINE = Buffer.from('\n')
