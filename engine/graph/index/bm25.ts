import { findString, type Strings } from '../collections/strings.js'
import { type Scored, Top } from '../collections/top.js'
import { countOf, type Postings, unpack } from './postings.js'
import type { Workspace } from './workspace.js'

/** Okapi's parameters, for words beside names and for words alone. */
const BESIDE_NAMES = { k1: 0.9, b: 0.4 }
const ALONE = { k1: 1.2, b: 0.75 }

/**
 * An inverted index over texts, numbered from 0 in the order they were added. It keeps only stems, not texts.
 */
export interface TextIndex {
  /** Stems. */
  vocabulary: Strings
  /** Stem → texts and term frequencies; 255 means 255 or more. */
  postings: Postings
  /** Stems per text without stop words; 65,535 means that or more. */
  lengths: Uint16Array
  averageLength: number
  /** Text → 1: it is not found any more, but counts until the next complete build; empty if none (ADR 17). */
  gone: Uint8Array
}

/** Scores of texts: one number per text, 0 for most, and the texts with a score. */
export interface TextScores {
  all: Float32Array
  /** By the stems in `apart`. */
  apart: Float32Array
  /** The highest of each. */
  best: number
  bestApart: number
  /** The score of a text of average length with each stem once, including stems that no text has. */
  information: number
  texts: Uint32Array
}

/** How many texts contain the stem. */
export function frequency(index: TextIndex, stem: string): number {
  const term = findString(index.vocabulary, stem)
  return term < 0 ? 0 : countOf(index.postings, term)
}

/** Inverse document frequency, ln(1 + (N − n + ½) / (n + ½)), of a stem in `count` of `texts` texts. */
export function idf(texts: number, count: number): number {
  return Math.log(1 + (texts - count + 0.5) / (count + 0.5))
}

/**
 * Scores texts for these stems by Okapi BM25 (Robertson and Zaragoza 2009; k1 0.9, b 0.4, or with `isAll` the
 * usual 1.2 and 0.75), and separately for the stems in `apart`, and calls `use` with the scores. Rare stems
 * are read first and at most `maxPostings` entries in all, so that the cost does not grow with the number of
 * texts. Stems that are too common are skipped; if even the rarest is and `partial` is set, only the first of
 * its texts are read.
 */
export function scoreText<T>(
  workspace: Workspace,
  index: TextIndex,
  stems: readonly string[],
  maxPostings: number,
  use: (scores: TextScores) => T,
  {
    partial = false,
    isAll = false,
    apart = [],
    sheet: name = 'question',
  }: { partial?: boolean; isAll?: boolean; apart?: readonly string[]; sheet?: keyof Workspace['texts'] } = {},
): T {
  const { lengths, postings, gone } = index
  const sheet = workspace.texts[name]
  const [all, aside] = [sheet.all.take(lengths.length), sheet.apart.take(lengths.length)]
  let [size, best, bestApart] = [0, 0, 0]
  const { k1, b } = isAll ? ALONE : BESIDE_NAMES
  const each = k1 * (1 - b)
  const perWord = (k1 * b) / index.averageLength
  const { lists, information } = readable(index, stems, maxPostings, partial)
  const asideStems = new Set(apart)
  for (const { stem, term, size: frequency, read } of lists) {
    const factor = (k1 + 1) * idf(lengths.length, frequency)
    const isApart = asideStems.has(stem)
    const numbers = unpack(postings, term, read, workspace.unpacked)
    const { times } = workspace.unpacked
    sheet.reserve(size + numbers.length)
    const { touched } = sheet
    for (let at = 0; at < numbers.length; at++) {
      const text = numbers[at] ?? 0
      if (gone[text] === 1) continue
      const often = times[at] ?? 0
      const score = (factor * often) / (often + each + perWord * (lengths[text] ?? 0))
      const before = all[text] ?? 0
      if (before === 0) touched[size++] = text
      all[text] = before + score
      if (before + score > best) best = before + score
      if (!isApart) continue
      const apart = (aside[text] ?? 0) + score
      aside[text] = apart
      if (apart > bestApart) bestApart = apart
    }
  }
  const texts = sheet.touched.subarray(0, size)
  try {
    return use({ all, apart: aside, texts, best, bestApart, information })
  } finally {
    for (const text of texts) {
      all[text] = 0
      aside[text] = 0
    }
  }
}

/**
 * The best `count` texts by `scoreText`; if all stems are too common, the best of the first texts with the
 * rarest.
 */
export function searchText(
  workspace: Workspace,
  index: TextIndex,
  stems: readonly string[],
  count: number,
  maxPostings: number,
): Scored[] {
  const best = ({ all, texts }: TextScores) => {
    const top = new Top(count)
    for (const text of texts) top.offer(text, all[text] ?? 0)
    return top.sorted()
  }
  return scoreText(workspace, index, stems, maxPostings, best, { partial: true })
}

/** The texts with some of these stems, and which: bit n is the nth of at most 31 stems. */
export function matchText(
  { unpacked }: Workspace,
  index: TextIndex,
  stems: readonly string[],
  maxPostings: number,
  partial = false,
): Map<number, number> {
  const masks = new Map<number, number>()
  for (const { stem, term, read } of readable(index, stems.slice(0, 31), maxPostings, partial).lists) {
    const bit = 1 << stems.indexOf(stem)
    for (const text of unpack(index.postings, term, read, unpacked))
      if (index.gone[text] !== 1) masks.set(text, (masks.get(text) ?? 0) | bit)
  }
  return masks
}

/** The texts with every word, which is given by its stems. Of all stems the first 31 count. */
export function textsWithAll(
  workspace: Workspace,
  index: TextIndex,
  words: readonly (readonly string[])[],
  maxPostings: number,
): number[] {
  const stems = [...new Set(words.flat())].slice(0, 31)
  // Bit 31 is that of other stems, which no text has.
  const bitsOf = words.map(of => of.reduce((bits, stem) => bits | (1 << stems.indexOf(stem)), 0))
  return [...matchText(workspace, index, stems, maxPostings)]
    .filter(([, mask]) => bitsOf.every(bits => (mask & bits) !== 0))
    .map(([text]) => text)
}

interface Readable {
  stem: string
  term: number
  /** Its postings, and how many of them to read. */
  size: number
  read: number
}

/**
 * Postings to read, rare stems first; if even the rarest has too many, only a part of them with `partial`.
 */
function readable(
  index: TextIndex,
  stems: readonly string[],
  maxPostings: number,
  partial = false,
): { lists: Readable[]; information: number } {
  const found: Readable[] = []
  let information = 0
  for (const stem of new Set(stems)) {
    const term = findString(index.vocabulary, stem)
    const size = term < 0 ? 0 : countOf(index.postings, term)
    information += idf(index.lengths.length, size)
    if (term >= 0) found.push({ stem, term, size, read: 0 })
  }
  found.sort((x, y) => x.size - y.size || x.term - y.term)
  let [count, left] = [0, maxPostings]
  for (const list of found) {
    if (list.size > left && (count > 0 || !partial)) break
    list.read = Math.min(list.size, left)
    left -= list.size
    count++
  }
  found.length = count
  return { lists: found, information }
}
