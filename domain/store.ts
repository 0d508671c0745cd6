import type { Database } from '../platform/storage/database.js'
import type { Db } from '../platform/storage/schema.js'
import { type Change, type New, type Table, tables, type Values } from '../platform/storage/where.js'

/** A function that reads rows, as a method of a store. */
export const of =
  <Rest extends unknown[], Found>(db: Db, read: (db: Db, ...rest: Rest) => Found) =>
  (...rest: Rest): Found =>
    read(db, ...rest)

/** Reads rows of the database. */
export abstract class ReadingStore {
  protected readonly db: Db

  constructor({ read }: Pick<Database, 'read'>) {
    this.db = read
  }
}

/** Reads and writes rows of the database. */
export abstract class Store extends ReadingStore {
  protected readonly database: Database

  constructor(database: Database) {
    super(database)
    this.database = database
  }

  /** As `tables`, in a transaction of its own; so do the following. */
  protected insertRow<Name extends Table>(table: Name, row: New<Name>): Promise<void> {
    return this.database.write(trx => tables.insert(trx, table, row))
  }

  protected addRow<Name extends Table>(table: Name, row: New<Name>): Promise<boolean> {
    return this.database.write(trx => tables.add(trx, table, row))
  }

  protected changeRows<Name extends Table>(
    table: Name,
    values: Values<Name>,
    change: Change<Name>,
  ): Promise<boolean> {
    return this.database.write(trx => tables.change(trx, table, values, change))
  }

  protected removeRows<Name extends Table>(table: Name, values: Values<Name>): Promise<boolean> {
    return this.database.write(trx => tables.remove(trx, table, values))
  }
}
