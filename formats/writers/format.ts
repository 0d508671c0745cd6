/** What a Safe holds, one statement at a time. An entity is told before anything else is said of it. */
export type Statement =
  | { kind: 'entity'; entity: Named }
  | { kind: 'alias'; entity: Named; alias: string }
  | ({ kind: 'passage'; entity: Named } & PassageText)
  | { kind: 'relation'; subject: Named; predicate: string; object: Named }

/** An entity as others refer to it. */
export interface Named {
  /** What identifies it. */
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

/** Writes the statements of one Safe as text; `end` tells what was held back. */
export interface Writer {
  write(statement: Statement): string
  end(): string
}

/** A way of writing a Safe into a file that reads back as the same graph (docs/decisions/0016). */
export interface ExportFormat {
  /** Also the id of the format that reads it. */
  id: string
  title: string
  /** End of the file's name, without the dot. */
  extension: string
  contentType: string
  /** Loads the library that writes it. */
  writer(): Promise<Writer>
}
