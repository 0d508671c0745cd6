// A process that builds indexes, within the memory that it may use (docs/decisions/0029).
import { DomainError } from '../../../platform/common/domain-error.js'
import { type ALIVE, giveSignsOfLife, inChild } from '../../../platform/processes/in-child.js'
import { openReader } from '../../../platform/storage/open-database.js'
import { ContentStore } from '../stores/content.sql.js'
import type { FromBuilder, ToBuilder } from './build-messages.js'
import { BuildsHere } from './builds-here.js'

/** Bytes of a message. */
const PIECE = 1_048_576

let builds: Promise<BuildsHere> | undefined

const send = inChild<ToBuilder, FromBuilder | typeof ALIVE>(job => void answer(job))
giveSignsOfLife(send)

async function answer(job: ToBuilder): Promise<void> {
  try {
    builds ??= openReader(job.place).then(reader => new BuildsHere(new ContentStore(reader)))
    if (job.kind === 'build') await build(await builds, job)
    else await (await builds).prepare(job.safeId)
    await send({ kind: 'done' })
  } catch (error) {
    const message = error instanceof DomainError ? null : String((error as Error).stack)
    await send({ kind: 'failed', message })
  }
}

async function build(
  builds: BuildsHere,
  { safeId, ranges, pendingImport }: Extract<ToBuilder, { kind: 'build' }>,
): Promise<void> {
  const { layout, bytes } = await builds.build(safeId, ranges, pendingImport)
  await send({ kind: 'layout', layout })
  for (let at = 0; at < bytes.length; at += PIECE)
    await send({ kind: 'bytes', bytes: bytes.slice(at, at + PIECE) })
}
