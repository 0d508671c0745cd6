import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { printable } from '../platform/common/visible-text.js'

/** Standard output of a command. */
export type Stdout = Writable & { isTTY?: boolean }

/**
 * Standard output unchanged, or, if it is a terminal, without control sequences: texts of servers and files must not
 * set its title or clipboard, nor hide or imitate output. Pipes and files get every byte.
 */
export function safeFor(stdout: Stdout): Stdout {
  if (!stdout.isTTY) return stdout
  const decoder = new StringDecoder()
  const cleaned = new Writable({
    write(chunk: Buffer, _encoding, done) {
      stdout.write(printable(decoder.write(chunk)), done)
    },
  })
  return Object.assign(cleaned, { isTTY: true })
}
