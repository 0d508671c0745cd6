import { setImmediate as otherWork } from 'node:timers/promises'
import { ABOUT_FORMS, ARTICLE, DIFFERENCE_FORM, PAIR_FORM, PATH_FORMS, TYPE_FORMS } from './forms.js'
import { english, isStopWordIn, marksIn } from './language.js'
import { IN_SAFE, OVERVIEW_FORMS, PEOPLE_FORM } from './overview-forms.js'
import { CLOSING, OPENINGS } from './requests.js'

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
  const pairs = [...PATH_FORMS, DIFFERENCE_FORM, PAIR_FORM].flat().filter(form => form !== undefined)
  const single = [CLOSING, ARTICLE, IN_SAFE, PEOPLE_FORM]
  for (const form of [...OPENINGS, ...ABOUT_FORMS, ...TYPE_FORMS, ...OVERVIEW_FORMS, ...pairs, ...single]) {
    for (let use = 0; use < USES; use++) form.test('a question')
    await otherWork()
  }
}
