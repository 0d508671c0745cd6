// A process that sends its id with what it is told, or does what that says.
import { type ALIVE, giveSignsOfLife, inChild } from '../../../platform/processes/in-child.js'

const send = inChild<string, { pid: number; text: string } | typeof ALIVE>(text => {
  if (text === 'exit') process.exit(3)
  if (text === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (text !== 'be silent') void send({ pid: process.pid, text })
})
giveSignsOfLife(send)
