import { setImmediate as otherWork } from 'node:timers/promises'
import { aboutForms, article, differenceForm, pairForm, pathForms, typeForms } from './forms.js'
import { inSafe, overviewForms, peopleForm } from './overview-forms.js'
import { closing, openings } from './requests.js'

/** V8 compiles an expression to bytecode when it is first used, and to machine code at the second time. */
const USES = 2

/**
 * Uses each form of questions, with other work in between. Otherwise the first question compiles all of them, which
 * keeps every other request waiting for half a second of processor time.
 */
export async function compileForms(): Promise<void> {
  const pairs = [...pathForms, differenceForm, pairForm].flatMap(({ before, between }) => [before, between])
  const single = [closing, article, inSafe, peopleForm]
  for (const form of [...openings, ...aboutForms, ...typeForms, ...overviewForms, ...pairs, ...single]) {
    for (let use = 0; use < USES; use++) form.test('a question')
    await otherWork()
  }
}
