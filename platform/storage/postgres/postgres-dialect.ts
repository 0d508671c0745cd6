import { PostgresAdapter, PostgresDialect } from 'kysely'

/**
 * Without Kysely’s own migration lock, which belongs to a session: behind a pooler it is released in another one,
 * and is held forever. `migrate` uses our own lock instead.
 */
export class PooledPostgresDialect extends PostgresDialect {
  override createAdapter() {
    return new WithoutMigrationLock()
  }
}

class WithoutMigrationLock extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}
