// A thread that reads and builds indexes, so that requests do not wait (GRAPH §2).
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../common/domain-error.js'
import { duplicates } from '../../graph/browse/duplicates.js'
import { Workspace } from '../../graph/index/workspace.js'
import type { DatabaseLocation } from '../../storage/database.js'
import { openReader } from '../../storage/open-database.js'
import { ContentStore } from '../stores/content.sql.js'
import { contentOf, indexOf } from './content.js'
import { BuiltElsewhere, openIndex, type Unsaved, warmIndex } from './index-build.js'
import { ALIVE, type Job, type JobResult } from './index-thread.js'
import { KeptLayers } from './kept-layers.js'
import { SharedSnapshots } from './shared-snapshots.js'
import { Snapshots } from './snapshot.js'

const ALIVE_MS = 500

const place = workerData as DatabaseLocation
const reader = await openReader(place)
const contents = new ContentStore(reader)
const snapshots = new Snapshots(place.dataDir)
const sharing = place.databaseUrl ? new SharedSnapshots(reader.read) : null

const workspace = new Workspace()
const unsaved: Unsaved = { latest: null }
const layers = new KeptLayers(contents)

/** One at a time: two builds would need the memory of both. */
let work: Promise<unknown> = Promise.resolve()

setInterval(() => parentPort?.postMessage(ALIVE), ALIVE_MS).unref()

parentPort?.on('message', (job: Job) => {
  work = work.then(() => answer(job)).then(answered => parentPort?.postMessage(answered))
})

async function answer({
  number,
  safeId,
  pendingImport,
  warm,
  question,
  look,
  duplicates: wanted,
}: Job): Promise<JobResult> {
  try {
    if (warm) {
      await warmIndex({ contents, layers }, safeId)
      return { number, warm }
    }
    const built = await openIndex({ contents, snapshots, sharing, layers, unsaved }, safeId, pendingImport)
    const { committed, index } = built
    if (look) return { number, looked: await contentOf(committed, index, workspace).look(look) }
    if (wanted) return { number, committed, ...(await duplicates(indexOf(index, workspace), wanted)) }
    if (!question) return { number, ...built }
    return { number, committed, ranked: await contentOf(committed, index, workspace).rank(question) }
  } catch (error) {
    if (error instanceof BuiltElsewhere) return { number, builtElsewhere: true }
    return { number, failure: error instanceof DomainError ? null : String((error as Error).stack) }
  }
}
