/**
 * What an import file says, one statement at a time, whatever its format. An entity is named by its `id` in the file
 * (its name in JSONL and CSV, the local part of its IRI in RDF); the same normalized id is the same entity.
 */
export type GraphRecord =
  | { kind: 'entity'; id: string; name: string; type?: string }
  | { kind: 'alias'; entity: string; alias: string }
  | {
      kind: 'passage'
      entity: string
      title: string
      text: string
      source?: string
      seq?: number
      /** Milliseconds since 1970. */
      time?: number
    }
  | { kind: 'relation'; subject: string; predicate: string; object: string }

/** A record with the line it came from (1-based), or what is wrong with that line. */
export type Parsed = { line: number; record: GraphRecord } | { line: number; problem: string }

/** Rows of a Safe's committed imports, as an index is built from them. `n` identifies a row in its import. */
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
export interface RelationRow {
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

/** Where the rows come from: pages of rows, so that reading them leaves room for other requests. */
export interface GraphSource {
  entities(): AsyncIterable<EntityRow[]>
  aliases(): AsyncIterable<AliasRow[]>
  relations(): AsyncIterable<RelationRow[]>
  passages(): AsyncIterable<PassageRow[]>
}

/** A row of one import: what an index keeps instead of texts. */
export interface RowRef {
  importId: number
  id: number
}
