/**
 * A statement of an import file, in any format. An entity is identified by its `id` in the file (its name in
 * JSONL and CSV, the local part of its IRI in RDF); equal normalized ids are the same entity.
 */
export type GraphRecord =
  | { kind: 'entity'; id: string; name: string; type?: string }
  | { kind: 'alias'; entity: string; alias: string }
  /** `entity` is the same as `sameAs` and has its name. With itself it is separate again. */
  | { kind: 'same'; entity: string; sameAs: string }
  | {
      kind: 'passage'
      entity: string
      title: string
      text: string
      source?: string
      seq?: number
      /** Milliseconds since 1970. */
      time?: number
      /** The line of its document at which it begins, if that is not the line of the record. */
      line?: number
    }
  | ({ kind: 'relation'; subject: string; predicate: string; object: string } & FactTimes)

/** When a fact is true and when it was learned, as dates (`dateOf`); an open end is absent (ADR 55). */
export interface FactTimes {
  validFrom?: string | null
  validTo?: string | null
  learnedOn?: string | null
}

/** A record with its line (1-based), or the problem with that line. */
export type Parsed = { line: number; record: GraphRecord } | { line: number; problem: string }

/**
 * Rows of a Safe's committed imports, from which an index is built. `id` identifies a row within its import.
 */
export interface EntityRow {
  importId: number
  key: string
  name: string
  type: string | null
}
export interface AliasRow {
  importId: number
  entityKey: string
  alias: string
}
/** The entity `key` is the same as `sameAs`, or separate if that is `key` itself. */
export interface IdentityRow {
  importId: number
  key: string
  sameAs: string
}

export interface RelationRow extends FactTimes {
  importId: number
  id: number
  subjectKey: string
  predicate: string
  objectKey: string
}
export interface PassageRow {
  importId: number
  id: number
  entityKey: string
  title: string
  text: string
  /** Milliseconds since 1970. */
  time: number | null
}

/** The rows to index, in pages, so that other requests can run in between. */
export interface GraphSource {
  identities(): AsyncIterable<IdentityRow[]>
  entities(): AsyncIterable<EntityRow[]>
  aliases(): AsyncIterable<AliasRow[]>
  relations(): AsyncIterable<RelationRow[]>
  passages(): AsyncIterable<PassageRow[]>
  /** Null, or absent, when the Safe has no predicates with one value at a time. */
  succession?(): Promise<Succession | null>
}

/** What is needed to know which facts newer ones supersede (ADR 55). */
export interface Succession {
  /** Predicates with one value at a time, in the spelling of the index. */
  predicates: ReadonlySet<string>
  /** When the facts of an import were learned, in milliseconds since 1970, unless they have dates of their own. */
  learnedOn(importId: number): number
}

/** A reference to a row of an import; an index keeps these instead of texts. */
export interface RowRef {
  importId: number
  id: number
}
