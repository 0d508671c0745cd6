import type { Kysely } from 'kysely'
import type { Database } from '../platform/storage/database.js'
import type { Schema } from '../platform/storage/schema.js'

/** Reads rows of the database. */
export abstract class ReadingStore {
  protected readonly db: Kysely<Schema>

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
}
