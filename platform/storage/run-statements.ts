import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Runs statements of a migration, each ended by `;` at the end of a line, written once for both databases. What they
 * create may exist already. The types of columns are `integer`, `bigint`, `bytes`, `text`, which is compared byte by byte
 * in both, and `plain_text`, which Postgres compares by its own collation. Tables are passed to the database in one line and
 * with quoted names, indexes as they are: SQLite keeps these texts, and backups are compared by them (ADR 59).
 */
export async function runStatements(db: Kysely<unknown>, statements: string): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of statements.replace(/^--.*$/gm, '').split(/;$/m)) {
    const text = statement.trim().replace(CREATE, '$& if not exists')
    if (text) await sql.raw(isTable(text) ? table(text, isPostgres) : text).execute(db)
  }
}

const CREATE = /^create (?:unlogged table|table|unique index|index)/
const isTable = (statement: string) => /^create (?:unlogged )?table/.test(statement)

const table = (statement: string, isPostgres: boolean) =>
  statement
    .replace(/\s+/g, ' ')
    .replaceAll('( ', '(')
    .replace(/(?<=(?:if not exists|references|constraint) )\w+/g, '"$&"')
    .replace(/(?<=[(,] ?)(\w+) (integer|bigint|bytes|text|plain_text)\b/g, (_all, name, type) => {
      const types = isPostgres ? POSTGRES_TYPES : SQLITE_TYPES
      return `"${name}" ${types[type] ?? type}`
    })
    .replace(/\(\w+(?:, \w+)*\)/g, names => names.replace(/\w+/g, '"$&"'))
    .replace(/ without rowid$/, isPostgres ? '' : '$&')

const POSTGRES_TYPES: Record<string, string> = {
  text: 'text collate "C"',
  plain_text: 'text',
  bytes: 'bytea',
}
const SQLITE_TYPES: Record<string, string> = { plain_text: 'text', bytes: 'blob' }
