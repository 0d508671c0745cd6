import type { Found, FoundThings } from '../../../domain/safes/browse/search.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import type { Page } from '../../../plugins/views.js'
import { askTexts } from '../../../views/texts/ask.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { pathWith } from '../list.js'
import { browsePath, thingPath } from '../safes/safe-links.js'
import type { AnswersView } from './answers-of-all.js'
import type { Link } from './thing-link.js'

interface SearchPage extends Page {
  /** The question. */
  question?: string
  title: string
  /** Shown before the results, or instead of them. */
  text: string | null
  safes: { name: string; href: string; size: string; ask: string }[]
  moreSafes: string | null
  things: FoundIn[]
  moreThings: string | null
  answers: AnswersView | null
  unsearched: Link[]
  moreUnsearched: string | null
  isCut: string | null
}

/** Things in one Safe. */
interface FoundIn {
  safe: Link
  things: (Link & { type: Link | null; relations: string })[]
  /** All names like this in this Safe, if there are more. */
  all: string | null
  ask: string
}

/** Maximum Safes shown. */
export const SAFES = 8
const UNSEARCHED = 12
/** Maximum characters of an address. Things with longer names are only found in the list of their Safe. */
const MAX_LENGTH = 500

/** The page before a search. */
export const emptyPage: SearchPage = {
  here: 'search',
  title: askTexts.search.title,
  text: askTexts.search.empty,
  safes: [],
  moreSafes: null,
  things: [],
  moreThings: null,
  answers: null,
  unsearched: [],
  moreUnsearched: null,
  isCut: null,
}

/** The answers of the Safes, and names similar to the question. */
export function foundPage(text: string, found: Found, answers: AnswersView): SearchPage {
  const m = askTexts.search
  const { safes, things, moreSafes, unsearched, isCut } = found
  const isNothing = safes.length + things.length + answers.safes.length === 0
  return {
    ...emptyPage,
    here: 'search',
    searched: text,
    question: text,
    title: m.results(text),
    text: isNothing ? answers.nothing : null,
    safes: safes.slice(0, SAFES).map(safe => ({
      name: safe.name,
      href: pathOf(safe),
      size: sizeTexts(safe.counts).join(' · '),
      ask: askPath(safe, text),
    })),
    moreSafes: safes.length > SAFES ? m.moreSafes(safes.length - SAFES) : null,
    things: things.map(inSafe => foundIn(text, inSafe)),
    moreThings: moreSafes > 0 ? m.moreThings(moreSafes) : null,
    answers,
    unsearched: unsearched
      .slice(0, UNSEARCHED)
      .map(safe => ({ name: safe.name, href: browsePath(pathOf(safe), { search: text }) })),
    moreUnsearched: unsearched.length > UNSEARCHED ? m.moreUnsearched(unsearched.length - UNSEARCHED) : null,
    isCut: isCut ? m.cut : null,
  }
}

function foundIn(text: string, { safe, things, hasMore }: FoundThings): FoundIn {
  const path = pathOf(safe)
  const shown = things.filter(({ key }) => thingPath(path, key).length <= MAX_LENGTH)
  return {
    safe: { name: safe.name, href: path },
    things: shown.map(({ key, name, type, relations }) => ({
      name,
      href: thingPath(path, key),
      type: type === null ? null : { name: type, href: browsePath(path, { type }) },
      relations: thingsTexts.thing.relationCount(relations),
    })),
    all: hasMore || shown.length < things.length ? browsePath(path, { search: text }) : null,
    ask: askPath(safe, text),
  }
}

const pathOf = ({ id }: ReadableSafe) => `/safes/${id}`

const askPath = (safe: ReadableSafe, text: string) => pathWith(pathOf(safe), { q: text })
