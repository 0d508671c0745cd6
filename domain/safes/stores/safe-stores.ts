import type { Database } from '../../../platform/storage/database.js'
import { ContentStore } from './content.sql.js'
import { DecisionStore } from './decisions.sql.js'
import { DocumentStore } from './document.sql.js'
import { DocumentFolderStore } from './document-folder.sql.js'
import { ImportStore } from './import.sql.js'
import { ListedImports } from './listed-imports.sql.js'
import { MergeStore } from './merge.sql.js'
import { RemovedSafeStore } from './removed-safe.sql.js'
import { SafeStore } from './safe.sql.js'
import { SyncStore } from './sync.sql.js'
import { SyncedFolderStore } from './synced-folder.sql.js'

/** All stores of Safes. */
export type SafeStores = ReturnType<typeof safeStores>

/** The stores of Safes in this database. */
export const safeStores = (database: Database) => ({
  safes: new SafeStore(database),
  removedSafes: new RemovedSafeStore(database),
  imports: new ImportStore(database),
  listedImports: new ListedImports(database),
  contents: new ContentStore(database),
  documents: new DocumentStore(database),
  documentFolders: new DocumentFolderStore(database),
  merges: new MergeStore(database),
  sync: new SyncStore(database),
  syncedFolders: new SyncedFolderStore(database),
  decisions: new DecisionStore(database),
})
