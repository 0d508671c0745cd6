import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

/**
 * An output of this process, of which a file survives errors: Node's own stream writes nothing more after a disk was full,
 * even when there is room again. Each lost chunk is an `error` event.
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
        // What was written of a line before the disk was full is a line of its own.
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
