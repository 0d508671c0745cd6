import type { Database } from '../../storage/database.js'
import { ContentStore } from './content.sql.js'
import { DocumentStore } from './document.sql.js'
import { ExportStore } from './export.sql.js'
import { IdentityStore } from './identity.sql.js'
import { ImportStore } from './import.sql.js'
import { MergeStore } from './merge.sql.js'
import { SafeStore } from './safe.sql.js'
import { SingleValuedStore } from './single-valued.sql.js'
import { SyncStore } from './sync.sql.js'

/** Everything that keeps the rows of Safes. */
export interface SafeStores {
  safes: SafeStore
  imports: ImportStore
  contents: ContentStore
  documents: DocumentStore
  exports: ExportStore
  merges: MergeStore
  sync: SyncStore
  singleValued: SingleValuedStore
  identities: IdentityStore
}

/** The stores of Safes in this database. */
export function safeStores(database: Database): SafeStores {
  return {
    safes: new SafeStore(database),
    imports: new ImportStore(database),
    contents: new ContentStore(database),
    documents: new DocumentStore(database),
    exports: new ExportStore(database),
    merges: new MergeStore(database),
    sync: new SyncStore(database),
    singleValued: new SingleValuedStore(database),
    identities: new IdentityStore(database),
  }
}
