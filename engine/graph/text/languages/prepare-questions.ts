import { setImmediate as otherWork } from 'node:timers/promises'
import * as forms from './forms.js'
import { english, isStopWordIn, marksIn } from './language.js'

/** V8 compiles an expression to bytecode when it is first used, and to machine code at the second time. */
const USES = 2

/**
 * Reads the lists of words and uses each form of questions, with other work in between. Otherwise the first question
 * does all of that, and every other request waits for a tenth of a second.
 */
export async function prepareQuestions(): Promise<void> {
  marksIn('a')
  await otherWork()
  isStopWordIn(english, 'a')
  const all = Object.values(forms).flat(2)
  for (const form of all.filter(value => value instanceof RegExp)) {
    for (let use = 0; use < USES; use++) form.test('a question')
    await otherWork()
  }
}
