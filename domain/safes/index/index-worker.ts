// A thread that reads indexes and has them built, so that requests do not wait (GRAPH §2).
import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { duplicates, Workspace } from '../../../engine/graph/index.js'
import { startChild } from '../../../platform/common/child.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { openReader } from '../../../platform/storage/open-database.js'
import { TOO_LARGE } from '../errors.js'
import { ContentStore } from '../stores/content.sql.js'
import { BuildProcess } from './build-process.js'
import { contentOf, indexOf } from './content.js'
import { BuiltElsewhere, openIndex, type Unsaved } from './index-build.js'
import {
  ALIVE,
  END,
  type IndexThreadData,
  type Job,
  type JobResult,
  type StartedBuilder,
} from './index-thread.js'
import { SharedSnapshots } from './shared-snapshots.js'
import { Snapshots } from './snapshot.js'

const ALIVE_MS = 500

const { place, from } = workerData as IndexThreadData
const reader = await openReader(place)
const contents = new ContentStore(reader)
const snapshots = new Snapshots(place.dataDir)
const sharing = place.databaseUrl ? new SharedSnapshots(reader.read) : null

const workspace = new Workspace()
const unsaved: Unsaved = { latest: null }
const builds = new BuildProcess(place, limits => {
  const child = startChild('build-worker', from, limits)
  parentPort?.postMessage({ builder: child.pid ?? null } satisfies StartedBuilder)
  return child
})
const tooLarge = new LRUCache<string, { contentHash: string; error: DomainError }>({ max: 1_000 })

/** One at a time: two builds would need the memory of both. */
let work: Promise<unknown> = Promise.resolve()

setInterval(() => parentPort?.postMessage(ALIVE), ALIVE_MS).unref()

parentPort?.on('message', (job: Job | typeof END) => {
  if (job === END) return void builds.end().then(() => process.exit())
  work = work.then(() => answer(job)).then(answered => parentPort?.postMessage(answered))
})

async function answer({
  number,
  safeId,
  pendingImport,
  prepare,
  question,
  browse,
  duplicates: wanted,
}: Job): Promise<JobResult> {
  try {
    if (prepare) {
      await builds.prepare(safeId)
      return { number, prepare }
    }
    const built = await openIndex(
      { contents, snapshots, sharing, builds, tooLarge, unsaved },
      safeId,
      pendingImport,
    )
    const { committed, index } = built
    if (browse) return { number, browsed: await contentOf(committed, index, workspace).browse(browse) }
    if (wanted) return { number, committed, ...(await duplicates(indexOf(index, workspace), wanted)) }
    if (!question) return { number, ...built }
    return { number, committed, ranked: await contentOf(committed, index, workspace).rank(question) }
  } catch (error) {
    if (error instanceof BuiltElsewhere) return { number, builtElsewhere: true }
    return { number, ...failureOf(error) }
  }
}

function failureOf(error: unknown): Omit<Extract<JobResult, { failure: string | null }>, 'number'> {
  if (error instanceof DomainError && error.code === TOO_LARGE)
    return { failure: error.message, reason: 'too large' }
  if (error instanceof DomainError) return { failure: null }
  if (error instanceof Unavailable) return { failure: error.message, reason: 'unavailable' }
  return { failure: String((error as Error).stack) }
}
