import type { Article, LinkTarget, ParsedDocument, PassagePlace } from '../../../engine/rendering/index.js'
import type { DocumentKind } from '../../../platform/common/document-kind.js'
import { startChild } from '../../../platform/processes/child.js'
import type { Work } from '../../../platform/processes/messages.js'
import { Pool } from '../../../platform/processes/pool.js'
import { Lost } from '../../../platform/processes/talk.js'

/** A document to read, then the targets of its links; the process returns the links first, then the document as HTML. */
export interface Rendering extends Work {
  job: { kind: DocumentKind; text: string }
  piece: Pick<ParsedDocument, 'targets'>
  next: { found: (readonly [string, LinkTarget])[]; passages: readonly PassagePlace[]; title: string }
  result: Article
}

const LIMITS = { heapMb: 192, memoryMb: 288 }
/** Maximum time for a document. A megabyte of ordinary text takes a fifth of a second. */
const TAKES_MS = 5_000
/** How long an idle process is kept: the time people read before they open the next document. A new process takes three times as long. */
const IDLE_MS = 120_000

/** The processes that render documents (`render-worker.ts`). */
export const renderProcesses = (
  start = () => startChild('render-worker', import.meta.url, LIMITS),
  answerMs = TAKES_MS,
) => new Pool<Rendering>({ start, answerMs, idleMs: IDLE_MS })

/** Whether a document took too long. */
export const tookTooLong = (error: unknown) => error instanceof Lost && error.how === 'silent'
