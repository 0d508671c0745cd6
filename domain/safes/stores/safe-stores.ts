import type { Database } from '../../../platform/storage/database.js'
import { ChangeStore } from './change.sql.js'
import { ContentStore } from './content.sql.js'
import { DecisionStore } from './decisions.sql.js'
import { DocumentStore } from './document.sql.js'
import { DocumentFolderStore } from './document-folder.sql.js'
import { DocumentSizesStore } from './document-sizes.sql.js'
import { DocumentVersionStore } from './document-versions.sql.js'
import { DroppedImports } from './dropped-imports.sql.js'
import { ImportStore } from './import.sql.js'
import { ListedImports } from './listed-imports.sql.js'
import { MemberStore } from './member.sql.js'
import { MergeStore } from './merge.sql.js'
import { RemovedSafeStore } from './removed-safe.sql.js'
import { SafeStore } from './safe.sql.js'
import { SyncStore } from './sync.sql.js'
import { SyncedFolderStore } from './synced-folder.sql.js'

/** Everything that keeps the rows of Safes. */
export interface SafeStores {
  safes: SafeStore
  members: MemberStore
  removedSafes: RemovedSafeStore
  imports: ImportStore
  listedImports: ListedImports
  droppedImports: DroppedImports
  contents: ContentStore
  changes: ChangeStore
  documents: DocumentStore
  documentFolders: DocumentFolderStore
  documentSizes: DocumentSizesStore
  documentVersions: DocumentVersionStore
  merges: MergeStore
  sync: SyncStore
  syncedFolders: SyncedFolderStore
  decisions: DecisionStore
}

/** The stores of Safes in this database. */
export function safeStores(database: Database): SafeStores {
  return {
    safes: new SafeStore(database),
    members: new MemberStore(database),
    removedSafes: new RemovedSafeStore(database),
    imports: new ImportStore(database),
    listedImports: new ListedImports(database),
    droppedImports: new DroppedImports(database),
    contents: new ContentStore(database),
    changes: new ChangeStore(database),
    documents: new DocumentStore(database),
    documentFolders: new DocumentFolderStore(database),
    documentSizes: new DocumentSizesStore(database),
    documentVersions: new DocumentVersionStore(database),
    merges: new MergeStore(database),
    sync: new SyncStore(database),
    syncedFolders: new SyncedFolderStore(database),
    decisions: new DecisionStore(database),
  }
}
