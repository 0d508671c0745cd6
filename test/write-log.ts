import type { FastifyInstance } from 'fastify'
import { sql, type TableMetadata } from 'kysely'

/** Parts of a store that may change although a request was rejected. */
export interface Ignored {
  isIgnored(table: string): boolean
  /** Columns that may change, by table. */
  columns: Record<string, readonly string[]>
}

const installed = new WeakMap<object, Promise<void>>()

/**
 * The number of writes to each table of the embedded database. All writes go through one connection, on which
 * temporary triggers count them, which costs a tenth of comparing the content of the tables.
 */
export async function writesSoFar(
  { database }: FastifyInstance,
  ignored: Ignored,
): Promise<Record<string, number>> {
  if (!installed.has(database)) installed.set(database, install(database, ignored))
  await installed.get(database)
  const { rows } = await database.write(trx =>
    sql<{ change: string; n: number }>`select change, n from temp.write_log`.execute(trx),
  )
  return Object.fromEntries(rows.map(({ change, n }) => [change, n]))
}

async function install(database: FastifyInstance['database'], ignored: Ignored): Promise<void> {
  const tables = await database.read.introspection.getTables()
  await database.write(async trx => {
    await sql`create temp table write_log (change text primary key, n integer not null)`.execute(trx)
    for (const table of tables.filter(({ name }) => !ignored.isIgnored(name)))
      for (const event of ['insert', 'update', 'delete']) {
        await sql`insert into temp.write_log values (${`${event} ${table.name}`}, 0)`.execute(trx)
        await trigger(table, event, ignored.columns[table.name] ?? []).execute(trx)
      }
  })
}

function trigger({ name, columns }: TableMetadata, event: string, ignored: readonly string[]) {
  const watched = columns.filter(column => !ignored.includes(column.name))
  const of = event === 'update' ? sql` of ${sql.join(watched.map(column => sql.ref(column.name)))}` : sql``
  return sql`create temp trigger ${sql.ref(`log_${event}_${name}`)} after ${sql.raw(event)}${of} on main.${sql.table(name)}
    begin update write_log set n = n + 1 where change = ${sql.lit(`${event} ${name}`)}; end`
}
