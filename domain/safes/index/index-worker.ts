// A thread that reads indexes and has them built, so that requests do not wait (GRAPH §2).
import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { duplicates, Workspace } from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { startChild } from '../../../platform/processes/child.js'
import { giveSignsOfLife } from '../../../platform/processes/in-child.js'
import { openReader } from '../../../platform/storage/open-database.js'
import { TOO_LARGE } from '../errors.js'
import { ContentStore } from '../stores/content.sql.js'
import { BuildProcess } from './build-process.js'
import { contentOf, indexOf } from './content.js'
import { BuiltElsewhere, openIndex, type Unsaved } from './index-build.js'
import { type Answer, END, type IndexThreadData, type Job, type StartedBuilder } from './index-thread.js'
import { SharedSnapshots } from './shared-snapshots.js'
import { Snapshots } from './snapshot.js'

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

giveSignsOfLife(sign => parentPort?.postMessage(sign))

parentPort?.on('message', async (job: Job | typeof END) => {
  if (job === END) return void builds.end().then(() => process.exit())
  const answered = await answer(job).catch(failed)
  parentPort?.postMessage(answered)
})

async function answer(job: Job): Promise<Answer> {
  const { safeId } = job
  if (job.kind === 'prepare') {
    await builds.prepare(safeId)
    return { done: null }
  }
  const pendingImport = job.kind === 'open' ? job.pendingImport : undefined
  const dependencies = { contents, snapshots, sharing, builds, tooLarge, unsaved }
  const built = await openIndex(dependencies, safeId, pendingImport)
  const { committed, index } = built
  if (job.kind === 'open') return { done: built }
  if (job.kind === 'duplicates')
    return { done: { committed, ...(await duplicates(indexOf(index, workspace), job.duplicates)) } }
  const content = contentOf(committed, index, workspace)
  return { done: await (job.kind === 'rank' ? content.rank(job.question) : content.browse(job.browse)) }
}

function failed(error: unknown): Answer {
  if (error instanceof BuiltElsewhere) return { isBuiltElsewhere: true }
  if (error instanceof DomainError && error.code === TOO_LARGE)
    return { failure: error.message, reason: 'too large' }
  if (error instanceof DomainError) return { failure: null }
  if (error instanceof Unavailable) return { failure: error.message, reason: 'unavailable' }
  return { failure: String((error as Error).stack) }
}
