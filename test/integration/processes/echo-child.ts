// A process that answers with its id and the message, or follows the instruction in it.
import { type PoolWork, serve } from '../../../platform/processes/serve.js'

/** Answers twice if the message asks for it. */
export interface Echo extends PoolWork {
  job: string
  piece: string
  next: string
  question: string
  reply: string
  result: { pid: number; text: string }
}

class Mistake extends Error {
  readonly code = 'mistake'
}

serve<Echo>(async function* (text, ask) {
  if (text === 'exit') process.exit(3)
  if (text === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (text === 'be silent') await new Promise(() => {})
  if (text === 'ask') return { pid: process.pid, text: await ask('what?') }
  if (text === 'throw') throw new Mistake('wrong')
  if (text === 'say more') return { pid: process.pid, text: yield 'more' }
  return { pid: process.pid, text }
})
