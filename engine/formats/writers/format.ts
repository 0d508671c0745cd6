import type { FactTimes } from '../../graph/index.js'

/** The contents of a Safe, one statement at a time. Each entity precedes all statements about it. */
export type Statement =
  | { kind: 'entity'; entity: WrittenEntity }
  | { kind: 'alias'; entity: WrittenEntity; alias: string }
  /** `entity` was merged into `sameAs`, which is not merged itself. */
  | { kind: 'same'; entity: WrittenEntity; sameAs: WrittenEntity }
  | ({ kind: 'passage'; entity: WrittenEntity } & PassageText)
  | ({ kind: 'relation'; subject: WrittenEntity; predicate: string; object: WrittenEntity } & FactTimes)

/** An entity in a statement. */
export interface WrittenEntity {
  /** Its key. */
  key: string
  name: string
  type: string | null
}

export interface PassageText {
  title: string
  text: string
  source: string | null
  seq: number | null
  /** Milliseconds since 1970. */
  time: number | null
}

/** Writes the statements of one Safe as text; `end` returns the buffered rest. */
export interface StatementWriter {
  write(statement: Statement): string
  end(): string
}

/** A file format for exports that can be imported again as the same graph (docs/decisions/0016). */
export interface ExportFormat {
  /** The id of the format that reads it. */
  id: string
  title: string
  /** File name extension without the dot. */
  extension: string
  contentType: string
  /** Loads the library that writes it. */
  writer(): Promise<StatementWriter>
}
