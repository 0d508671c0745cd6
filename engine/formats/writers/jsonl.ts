import { type FactTimes, normalizeName } from '../../graph/index.js'
import type { ExportFormat, PassageText, Statement, StatementWriter, WrittenEntity } from './format.js'

/**
 * The file of `@modelcontextprotocol/server-memory`. Additional data is in members and lines that it ignores:
 * `key` if it differs from the name, `passages` with `observations`, `{"type": "alias"}`, `{"type": "same"}`, dates of relations.
 */
export const jsonlExport: ExportFormat = {
  id: 'jsonl',
  title: 'MCP memory (JSONL)',
  extension: 'jsonl',
  contentType: 'application/jsonl; charset=utf-8',
  writer: async () => new JsonlWriter(),
}

/**
 * Maximum characters and passages of one line: readers reject lines with more members than
 * records have.
 */
const MAX_LINE = 100_000
const MAX_PASSAGES = 500

class JsonlWriter implements StatementWriter {
  /** The current entity; its passages are collected on one line. */
  #open: { entity: WrittenEntity; passages: PassageText[]; length: number; aliases: string } | null = null

  write(statement: Statement): string {
    switch (statement.kind) {
      case 'entity':
        return this.#begin(statement.entity)
      case 'passage':
        return this.#addPassage(statement)
      case 'alias':
        return this.#addAlias(statement.entity, statement.alias)
      case 'same': {
        const { entity, sameAs } = statement
        const ends = { name: entity.name, ...key('key', entity), sameAs: sameAs.name }
        return this.end() + line({ type: 'same', ...ends, ...key('sameAsKey', sameAs) })
      }
      case 'relation': {
        const { subject, object, predicate } = statement
        const ends = { from: subject.name, to: object.name, relationType: predicate }
        const keys = { ...key('fromKey', subject), ...key('toKey', object) }
        return this.end() + line({ type: 'relation', ...ends, ...keys, ...timesOf(statement) })
      }
    }
  }

  end(): string {
    if (!this.#open) return ''
    const { entity, passages, aliases } = this.#open
    this.#open = null
    const more = passages.map(passage => moreOf(passage, entity))
    const own = line({
      type: 'entity',
      name: entity.name,
      entityType: entity.type ?? '',
      observations: passages.map(passage => passage.text),
      ...key('key', entity),
      ...(more.some(Boolean) ? { passages: more } : {}),
    })
    return own + aliases
  }

  #begin(entity: WrittenEntity): string {
    const before = this.end()
    this.#open = { entity, passages: [], length: 0, aliases: '' }
    return before
  }

  /** An entity's line precedes all lines that refer to it. */
  #addAlias(entity: WrittenEntity, alias: string): string {
    const text = line({ type: 'alias', name: entity.name, ...key('key', entity), alias })
    if (this.#open?.entity.key !== entity.key) return this.end() + text
    this.#open.aliases += text
    return ''
  }

  #addPassage({ entity, ...passage }: { entity: WrittenEntity } & PassageText): string {
    const open = this.#open
    const isItsOwn = open?.entity.key === entity.key
    const fits = isItsOwn && open.length < MAX_LINE && open.passages.length < MAX_PASSAGES
    const before = fits ? '' : this.#begin(entity)
    this.#open?.passages.push(passage)
    if (this.#open) this.#open.length += passage.text.length
    return before
  }
}

function moreOf({ title, source, seq, time }: PassageText, { name }: WrittenEntity): object | null {
  const fields = { title: title === name ? null : title, source, seq, time }
  const more = Object.entries(fields).filter(([, value]) => value !== null)
  return more.length > 0 ? Object.fromEntries(more) : null
}

const timesOf = ({ validFrom, validTo, learnedOn }: FactTimes) =>
  Object.fromEntries(Object.entries({ validFrom, validTo, learnedOn }).filter(([, date]) => date))

const key = (member: string, entity: WrittenEntity) =>
  normalizeName(entity.name) === entity.key ? {} : { [member]: entity.key }

const line = (value: object) => `${JSON.stringify(value)}\n`
