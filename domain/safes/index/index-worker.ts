// A thread that reads indexes and has them built, so that requests do not wait (GRAPH §2).
import { workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import {
  type BrowseQuery,
  type DuplicatesQuery,
  duplicates,
  type GraphQuestion,
  Workspace,
} from '../../../engine/graph/index.js'
import type { DomainError } from '../../../platform/common/domain-error.js'
import { serve } from '../../../platform/processes/serve.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { openReader } from '../../../platform/storage/open-database.js'
import { ContentStore } from '../stores/content.sql.js'
import { buildProcess } from './build-process.js'
import { contentOf, indexOf } from './content.js'
import { type OpenFrom, openIndex } from './index-build.js'
import { SharedSnapshots } from './shared-snapshots.js'
import { Snapshots } from './snapshot.js'

/** The database for rows. */
const place = workerData as DatabaseLocation
const reader = await openReader(place)
const { build } = buildProcess(place)
const workspace = new Workspace()
const dependencies = {
  contents: new ContentStore(reader),
  snapshots: new Snapshots(place.dataDir),
  sharing: place.databaseUrl ? new SharedSnapshots(reader) : null,
  build,
  tooLarge: new LRUCache<string, { contentHash: string; error: DomainError }>({ max: 1_000 }),
  unsaved: { latest: null },
  workspace,
}
/** Jobs that open an index repeatedly, so it should be in its snapshot. */
const COMPLETE = { isComplete: true }

async function contentIn(safeId: string) {
  const { committed, index } = await openIndex(dependencies, safeId, COMPLETE)
  return contentOf(committed, index, workspace)
}

const jobs = {
  open: (safeId: string, how: OpenFrom) => openIndex(dependencies, safeId, how),
  rank: async (safeId: string, question: GraphQuestion) => (await contentIn(safeId)).rank(question),
  browse: async (safeId: string, query: BrowseQuery) => (await contentIn(safeId)).browse(query),
  /** The likeliest duplicates of a Safe, and the import that names each of their entities. */
  duplicates: async (safeId: string, query: DuplicatesQuery) => {
    const { committed, index } = await openIndex(dependencies, safeId, COMPLETE)
    return { committed, ...(await duplicates(indexOf(index, workspace), query)) }
  },
}

/** The thread's jobs, by name. */
export type IndexJobs = typeof jobs

serve<{ job: { name: keyof IndexJobs; args: readonly unknown[] } }>(async ({ name, args }) =>
  Reflect.apply(jobs[name], undefined, args),
)
