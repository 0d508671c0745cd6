import type { FoundThings, SearchResults } from '../../../domain/safes/browse/search.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import { askTexts } from '../../../views/texts/ask.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { pathWith } from '../list.js'
import { browsePath, thingPath } from '../safes/safe-links.js'
import type { AnswersView, ListedResult } from './answers-of-all.js'
import type { FoundDocument } from './documents-of-all.js'
import type { Entered } from './question-fields.js'
import type { ThingLink } from './thing-link.js'

/** Maximum Safes shown. */
export const SAFES = 8
const UNSEARCHED = 12
/** Maximum characters of an address. Things with longer names are only found in the list of their Safe. */
const MAX_LENGTH = 500

/** The page before a search. */
export const emptyPage = {
  ...{ here: 'search', title: askTexts.search.title, text: askTexts.search.empty },
  ...{ best: null, bestSafe: null, results: [], weak: [], unasked: [] },
  ...{ safes: [], moreSafes: null, moreThings: null, allNames: [] },
  ...{ unsearched: [], moreUnsearched: null, isCut: null },
}

/** The answers of the Safes, and names similar to the question. */
export function foundPage(
  text: string,
  entered: Entered,
  found: SearchResults & { documents: readonly FoundDocument[] },
  { nothing, ...answers }: AnswersView,
) {
  const m = askTexts.search
  const { safes, moreSafes, unsearched, isCut } = found
  const words = entered.q ?? ''
  const documents = found.documents.filter(({ time }) => isAfter(time, entered.since))
  // The thing of a note is listed once, as the note.
  const isListed = ({ name, safe }: ListedResult) =>
    documents.some(each => each.name === name && each.safe.name === safe.name)
  const others = found.things.flatMap(inSafe => thingResults(text, inSafe, entered))
  const names = [...documents.map(documentResult(text)), ...others.filter(thing => !isListed(thing))]
  const results = answers.best ? [...answers.results, ...names] : [...names, ...answers.results]
  return {
    ...emptyPage,
    ...answers,
    searched: text,
    question: text,
    title: m.results(text),
    text: safes.length + results.length === 0 ? nothing : null,
    results,
    safes: safes.slice(0, SAFES).map(safe => ({
      name: safe.name,
      href: pathOf(safe),
      size: sizeTexts(safe.counts).join(' · '),
      ask: askPath(safe, text),
    })),
    moreSafes: safes.length > SAFES ? m.moreSafes(safes.length - SAFES) : null,
    moreThings: moreSafes > 0 ? m.moreThings(moreSafes) : null,
    allNames: found.things.filter(({ hasMore }) => hasMore).map(({ safe }) => namesIn(safe, words)),
    unsearched: unsearched.slice(0, UNSEARCHED).map(safe => namesIn(safe, words)),
    moreUnsearched: unsearched.length > UNSEARCHED ? m.moreUnsearched(unsearched.length - UNSEARCHED) : null,
    isCut: isCut ? m.cut : null,
  }
}

const isAfter = (time: number | null, since = '') =>
  since === '' || (time !== null && time >= Date.parse(since))

const documentResult =
  (text: string) =>
  ({ name, path, href, safe }: FoundDocument): ListedResult => ({
    ...{ kind: askTexts.search.document, name, href, note: path, html: null },
    safe: { name: safe.name, href: askPath(safe, text) },
  })

/** Things have no folders, tags and dates of their own. */
const thingResults = (text: string, { safe, things }: FoundThings, { types, in: places, since }: Entered) =>
  things
    .filter(({ key }) => !places && !since && thingPath(pathOf(safe), key).length <= MAX_LENGTH)
    .filter(
      ({ type }) =>
        !types ||
        types
          .toLowerCase()
          .split(',')
          .includes(type?.toLowerCase() ?? ''),
    )
    .map(
      ({ key, name, type, relations }): ListedResult => ({
        ...{ kind: type ?? askTexts.suggestions.thing, name, href: thingPath(pathOf(safe), key), html: null },
        safe: { name: safe.name, href: askPath(safe, text) },
        note: thingsTexts.thing.relationCount(relations),
      }),
    )

const pathOf = ({ id }: ReadableSafe) => `/safes/${id}`
const askPath = (safe: ReadableSafe, text: string) => pathWith(pathOf(safe), { q: text })
const namesIn = (safe: ReadableSafe, search: string): ThingLink => ({
  name: safe.name,
  href: browsePath(pathOf(safe), { search }),
})
