import { propertyOf } from '../../../engine/formats/index.js'
import {
  type HavingQuery,
  normalizeName,
  type RowRange,
  spacedPredicate,
} from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import { quoted } from '../ask/one-line.js'
import type { SafeContent } from '../index/content.js'
import type { DocumentStore } from '../stores/document.sql.js'

/** The name of a property, and the accepted values. */
export type Property = readonly [key: string, values: readonly string[]]

/** A line at the end of a passage (`note-properties.ts`), or with two colons anywhere (Logseq). */
const LINE = /^[\s>*+-]{0,40}(\p{L}[\p{L}\p{N} ._-]{0,60})::? {1,9}(\S.{0,500})$/u
/** Maximum relations, maximum objects of them, and maximum passages searched for similar names. */
const MAX_READ = 1_000
const NEAREST = 5

/** Finds notes, and rows of tables, by their properties: relations, and lines of text for numbers, dates and long texts. */
export class Properties extends Part<{ documents: Pick<DocumentStore, 'passagesLike'> }> {
  /** The passages of notes and rows with one of these values. @throws DomainError 400 that names the nearest if there are none */
  async find(
    safeId: string,
    content: SafeContent,
    [key, values]: Property,
    accountId: string,
  ): Promise<RowRange[]> {
    const having = async (query: HavingQuery) =>
      (await content.browse<'having'>({ kind: 'having', ...query }, accountId)).found
    const stored = values.map(value => propertyOf('\0', key, [value], target => target))
    const rows: RowRange[] = []
    for (const query of stored.flatMap(({ records }, at) => queriesOf(key, values[at] ?? '', records)))
      rows.push(...(await having(query)))
    const others = new Set<string>()
    if (stored.some(({ text }) => text !== null) || rows.length === 0) {
      const passages: RowRange[] = []
      for await (const { importId, id, text } of this.dependencies.documents.passagesLike(
        safeId,
        patternOf(key),
      ))
        for (const line of linesOf(text).filter(line => nameOf(line.key) === nameOf(key))) {
          const isWanted = values.some(value => line.values.includes(normalizeName(value)))
          if (isWanted) passages.push({ importId, from: id, to: id })
          else others.add(line.values[0] ?? '')
        }
      rows.push(...(await having({ passages })))
    }
    return rows.length > 0 ? rows : this.#refuse(safeId, content, [key, values], others)
  }

  async #refuse(
    safeId: string,
    content: SafeContent,
    [key, values]: Property,
    others: Set<string>,
  ): Promise<never> {
    const relations = await content.browse<'relations'>({
      kind: 'relations',
      predicate: key,
      limit: MAX_READ,
    })
    for (const { object } of relations.found.items) others.add(object)
    const { found } = await content.browse<'contents'>({ kind: 'contents', limit: MAX_READ })
    if (nameOf(key) === 'type') for (const { type } of found.types) others.add(type)
    const wanted = values.map(quoted).join(' or ')
    if (others.size > 0)
      throw unknownPart(`No note has ${quoted(key)}: ${wanted}. ${nearestOf([...others], values.join(' '))}`)
    const keys = new Set(found.predicates.map(({ predicate }) => predicate))
    let read = 0
    for await (const { text } of this.dependencies.documents.passagesLike(safeId, '%:%')) {
      for (const line of linesOf(text)) keys.add(nameOf(line.key))
      if (++read > MAX_READ) break
    }
    throw unknownPart(`No note has a property ${quoted(key)}. ${nearestOf([...keys], key)}`)
  }
}

/** For properties and values that match nothing in the Safe. */
export const unknownPart = (message: string) => new DomainError(400, 'unknown_part', message)

/** A sentence with the most similar names: those that share most of their word beginnings. */
export function nearestOf(names: readonly string[], wanted: string, prefix = ''): string {
  if (names.length === 0) return 'There are none.'
  const starts = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{1,3}/gu))
  const parts = starts(wanted)
  const likeness = (name: string) => [...starts(name)].filter(start => parts.has(start)).length
  const nearest = names.toSorted((a, b) => likeness(b) - likeness(a)).slice(0, NEAREST)
  return `Nearest: ${nearest.map(name => quoted(`${prefix}${name}`)).join(', ')}.`
}

const nameOf = (key: string) => normalizeName(spacedPredicate(key))

function queriesOf(
  key: string,
  value: string,
  records: ReturnType<typeof propertyOf>['records'],
): HavingQuery[] {
  const [record] = records
  if (record?.kind === 'relation') return [{ predicate: record.predicate, object: record.object }]
  if (record?.kind === 'entity' && record.type) return [{ type: record.type }]
  return [{ predicate: key, object: value }]
}

/** The properties in a passage, with their values as names, one for each item of a list. */
function linesOf(text: string): { key: string; values: string[] }[] {
  const end = text.lastIndexOf('\n\n')
  const lines = [
    ...text
      .slice(0, Math.max(end, 0))
      .split('\n')
      .filter(line => line.includes('::')),
    ...text.slice(end + 1).split('\n'),
  ]
  return lines.flatMap(line => {
    const [, key, value] = LINE.exec(line) ?? []
    return key && value ? [{ key, values: [value, ...value.split(', ')].map(normalizeName) }] : []
  })
}

/** Uses the longest ASCII word, because databases compare upper and lower case of other letters differently. */
function patternOf(key: string): string {
  const words = key.toLowerCase().match(/[a-z0-9]+/g) ?? ['']
  return `%${words.reduce((a, b) => (b.length > a.length ? b : a))}%:%`
}
