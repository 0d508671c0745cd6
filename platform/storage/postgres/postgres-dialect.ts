import { PostgresAdapter, PostgresDialect } from 'kysely'

/**
 * Without Kysely’s own lock of migrations, which belongs to a session: behind a pooler it is released in another one,
 * and is held for ever. `migrate` has a lock of ours instead.
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
