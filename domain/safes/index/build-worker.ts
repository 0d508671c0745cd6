// A process that builds indexes, within the memory that it may use (docs/decisions/0029).
import { guardChild } from '../../../platform/common/child-guard.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { openReader } from '../../../platform/storage/open-database.js'
import { ContentStore } from '../stores/content.sql.js'
import type { FromBuilder, ToBuilder } from './build-messages.js'
import { BuildsHere } from './builds-here.js'

const ALIVE_MS = 500
/** Bytes of a message. */
const PIECE = 1_048_576

let builds: Promise<BuildsHere> | undefined

guardChild()
setInterval(() => void send({ kind: 'alive' }), ALIVE_MS).unref()
process.on('message', (message: ToBuilder) => {
  if (message.kind === 'open')
    builds = openReader(message.place).then(reader => new BuildsHere(new ContentStore(reader)))
  else void answer(message)
})

async function answer(job: Exclude<ToBuilder, { kind: 'open' }>): Promise<void> {
  try {
    if (job.kind === 'build') await build(job)
    else await (await builds)?.prepare(job.safeId)
    await send({ kind: 'done' })
  } catch (error) {
    const message = error instanceof DomainError ? null : String((error as Error).stack)
    await send({ kind: 'failed', message })
  }
}

async function build({
  safeId,
  ranges,
  pendingImport,
}: Extract<ToBuilder, { kind: 'build' }>): Promise<void> {
  const index = await (await builds)?.build(safeId, ranges, pendingImport)
  if (!index) return
  const { layout, bytes } = index
  await send({ kind: 'layout', layout })
  for (let at = 0; at < bytes.length; at += PIECE)
    await send({ kind: 'bytes', bytes: bytes.slice(at, at + PIECE) })
}

/** Resolves when the message has left: what waits to be sent does not add up. */
function send(message: FromBuilder): Promise<void> {
  return new Promise(resolve => process.send?.(message, undefined, undefined, () => resolve()))
}
