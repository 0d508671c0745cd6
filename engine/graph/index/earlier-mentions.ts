import { itemsOf } from '../collections/groups.js'
import { findString, stringAt } from '../collections/strings.js'
import { fromCodes } from '../text/languages/detect.js'
import { english, isStopWordIn, stemIn } from '../text/languages/language.js'
import { MAX_MEANINGS } from './mentions.js'
import { MAX_MENTION_LENGTH, MIN_NAME_LENGTH } from './passage-words.js'
import { countOf, Unpacked, unpack } from './postings.js'
import { LAST_PLACE, type SafeIndex, tagOf } from './safe-index.js'

/** Passages that are read for one name: those with its rarest stem. A name that more have is found at the next complete build. */
const MAX_PASSAGES = 500

/** As in `Mentions`. */
interface Mention {
  passage: number
  entity: number
  place: number
}

/**
 * Where a name of folded words is in passages. These keep their words only as stems, so that another form of a name
 * counts as well.
 */
export function placesOf({ text, passages, languages }: SafeIndex, words: readonly string[]) {
  const [language = english] = fromCodes(languages)
  const isShort = words.length === 1 && (words[0] ?? '').length < MIN_NAME_LENGTH
  if (isShort || words.length > MAX_MENTION_LENGTH) return []
  const isStop = words.map(word => isStopWordIn(language, word))
  const terms = words.map((word, at) =>
    isStop[at] ? -1 : findString(text.vocabulary, stemIn(language, word)),
  )
  const stems = terms.filter((_, at) => !isStop[at])
  const [rarest = -1] = stems.toSorted((a, b) => countOf(text.postings, a) - countOf(text.postings, b))
  if (stems.includes(-1) || rarest < 0 || countOf(text.postings, rarest) > MAX_PASSAGES) return []
  const tags = terms.map(term => (term < 0 ? 0 : tagOf(term)))
  return Array.from(unpack(text.postings, rarest, MAX_PASSAGES, new Unpacked()), passage => ({
    passage,
    place: text.gone[passage] === 1 ? -1 : placeIn(passages, passage, tags),
  })).filter(({ place }) => place >= 0)
}

/** Mentions of names that a part adds in passages from before, by passage. `entityOf`: entities of the part. */
export function earlierMentions(before: SafeIndex, part: SafeIndex, entityOf: Uint32Array): Mention[] {
  const { passages, mentions, dictionary } = before
  const found = new Map<string, Mention>()
  for (let phrase = 0; phrase < part.dictionary.phrases.size; phrase++) {
    const name = stringAt(part.dictionary.phrases, phrase)
    const items = itemsOf(part.dictionary.meanings, phrase)
    const meanings = new Set(items.map(item => entityOf[item >>> 1] ?? 0))
    if (meanings.size > MAX_MEANINGS || findString(dictionary.phrases, name) >= 0) continue
    for (const { passage, place } of placesOf(before, name.split(' '))) {
      const known = mentions.entity.subarray(mentions.offsets[passage], mentions.offsets[passage + 1])
      const shared = Math.min(place, LAST_PLACE) * 8 + meanings.size - 1
      for (const entity of meanings)
        if (entity !== passages.entity[passage] && !known.includes(entity))
          found.set(`${passage} ${entity}`, { passage, entity, place: shared })
    }
  }
  return [...found.values()].sort((a, b) => a.passage - b.passage || a.place - b.place)
}

/** The first place in a passage's text where these words follow each other, or -1. */
function placeIn(
  { offsets, words, titled }: SafeIndex['passages'],
  passage: number,
  tags: readonly number[],
): number {
  const start = offsets[passage] ?? 0
  const end = (offsets[passage + 1] ?? 0) - (titled[passage] ?? 0) - tags.length
  for (let at = start; at <= end; at++)
    if (tags.every((tag, next) => words[at + next] === tag)) return at - start
  return -1
}
