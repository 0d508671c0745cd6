import { type Answer, commonSource, groupsOf } from '../../../domain/safes/ask/answer.js'
import { OTHER_WORDS_HINT, TRY_OTHER_WORDS } from '../../../domain/safes/ask/hints.js'
import { fan, svg } from '../../../engine/pictures/index.js'
import { answerPicture } from '../../../mcp/app/answer-picture.js'
import { askTexts } from '../../../views/texts/ask.js'
import { pathWith } from '../list.js'
import { browsePath, namePath } from '../safes/safe-links.js'
import { type AnswerItemOptions, answerPassageView, factView, nameLink } from './answer-items.js'
import { answerLead } from './answer-lead.js'
import { bestView } from './best-answer.js'
import { stemsOf } from './marked-words.js'
import type { Entered } from './question-fields.js'

/** Hints that name arguments of a tool, which a page words differently. */
const FOR_ASSISTANTS = [OTHER_WORDS_HINT, TRY_OTHER_WORDS]

/** Shows an answer to a question on the page of its Safe. `entered`: the fields that the next page of the answer keeps. */
export async function answerView(answer: Answer, safePath: string, entered: Entered) {
  const m = askTexts.answer
  const common = commonSource(answer)
  const othersHaveAnother = answer.passages.some(({ source }) => source !== common)
  const cursor = answer.next_cursor ?? undefined
  const isEmpty = answer.total === 0 && !answer.summary
  const count = answer.facts.length + answer.passages.length
  const stems = stemsOf(`${entered.q ?? ''} ${entered.other_words ?? ''}`)
  const isWeak = !isEmpty && answer.verdict === 'none'
  const groups = await groupViews(answer, { safePath, common, stems })
  const picture =
    isWeak || answer.facts.length === 0 ? null : answerPicture(answer, name => namePath(safePath, name), fan)
  return {
    best: bestView(answer.lead, shownIn(groups), stems),
    weak: isWeak ? m.weak : null,
    doubt: !isEmpty && answer.verdict === 'possible' ? m.doubt : null,
    picture: picture && svg({ ...picture, title: m.picture }),
    shown: answer.mode === 'overview' ? null : m.shown(count, answer.total),
    linked: answer.linked.map(({ entity }) => nameLink(safePath, entity)),
    isEmpty,
    lead: answerLead(answer, safePath),
    groups,
    source:
      common === null
        ? null
        : {
            label: othersHaveAnother ? m.commonSource : m.source,
            name: common,
            href: browsePath(safePath, { source: common }),
          },
    hints: answer.hints.filter(hint => !FOR_ASSISTANTS.includes(hint)),
    browse: isEmpty ? browsePath(safePath, {}) : null,
    more: cursor ? pathWith('', { ...entered, cursor }) : null,
  }
}

const shownIn = (groups: Awaited<ReturnType<typeof groupViews>>) => ({
  facts: groups.flatMap(group => group.facts),
  passages: groups.flatMap(group => group.passages),
})

function groupViews(answer: Answer, around: AnswerItemOptions) {
  const { safePath } = around
  const several = answer.summary?.kind === 'entities' ? answer.summary.entities : []
  const groups = groupsOf(answer).map(async ({ about, facts, passages, links }, at) => ({
    about,
    href: about !== null && several[at] ? namePath(safePath, several[at].name) : null,
    facts: facts.map(fact => factView(fact, around)),
    passages: await Promise.all(passages.map(passage => answerPassageView(passage, around))),
    links: links.map(fact => factView(fact, around)),
  }))
  return Promise.all(groups)
}
