import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { extensionOf, findFormat, identify, identifyName } from '../../../engine/formats/index.js'
import type { Clock } from '../../../platform/common/clock.js'
import type { DomainError } from '../../../platform/common/domain-error.js'
import { safeErrors } from '../errors.js'
import type { Import, ImportOptions, ImportReport } from '../safe.js'
import type { ImportStore } from '../stores/import.sql.js'
import { WORK_LEASE_MS } from './dropping.js'
import { IMPORT_FORMATS } from './import-source.js'

/** Maximum characters of an unknown extension in an error. */
const MAX_EXTENSION = 20

/**
 * Creates the import's row; `readImport` continues.
 * @throws DomainError 400 if no format matches
 */
export async function beginImport(
  { imports, clock }: { imports: ImportStore; clock: Clock },
  accountId: string,
  safeId: string,
  options: ImportOptions,
): Promise<Import> {
  const format = await formatOf(options)
  return imports.begin(safeId, {
    source: sourceName(options.source),
    format,
    createdBy: accountId,
    at: clock(),
    leaseUntil: clock() + WORK_LEASE_MS,
    report: newReport(options.bytesTotal ?? null),
  })
}

/** The report of an import that has not been read yet. */
export function newReport(bytesTotal: number | null): ImportReport {
  const counts = { entities: 0, relations: 0, passages: 0 }
  return { counts, badLineCount: 0, badLines: [], problem: null, bytesRead: 0, bytesTotal }
}

/** The source shown in answers: the file's name, without folders and control characters. */
function sourceName(source: string): string {
  const name = source
    .replace(/\p{Cc}/gu, ' ')
    .split(/[\\/]/)
    .at(-1)
    ?.trim()
  return (name || 'import').slice(0, 200)
}

/** @throws DomainError 400 */
async function formatOf({ format, source, files, bytes }: ImportOptions): Promise<string> {
  if (files) return 'folder'
  const wanted = format?.trim().toLowerCase()
  if (format !== undefined) {
    const chosen = wanted === 'zip' ? 'zip' : findFormat(format)?.id
    if (chosen) return chosen
    throw safeErrors.unknownImportFormat(format, IMPORT_FORMATS.map(({ id }) => id).join(', '))
  }
  // The bytes are checked when the file is read, but a file name without a known extension is refused here.
  const named = identifyName(source)
  const isKnown = named !== null && !('unreadable' in named)
  const found = isKnown || !bytes ? named : identify(source, await startOf(bytes))
  if (found === null) throw undetectedFormat(source)
  if ('unreadable' in found) throw safeErrors.unreadableFile(sourceName(source), found.unreadable)
  return 'archive' in found ? 'zip' : found.format.id
}

function undetectedFormat(source: string): DomainError {
  const extension = extensionOf(source).slice(0, MAX_EXTENSION)
  return safeErrors.undetectedFormat(
    extension === '' ? `files such as “${sourceName(source)}”` : `.${extension} files`,
  )
}

const ARRIVALS = ['readable', 'end', 'error', 'close'] as const

/** The first bytes of an unread stream, as many as arrive at once. They stay in the stream. */
export async function startOf(bytes: Readable): Promise<Uint8Array> {
  if (bytes.readableLength === 0 && !bytes.readableEnded && !bytes.destroyed) {
    const arrived = new AbortController()
    const events = ARRIVALS.map(event => once(bytes, event, { signal: arrived.signal }))
    // Errors are left to the reader of the stream.
    await Promise.race(events).catch(() => {})
    arrived.abort()
  }
  const chunk: Buffer | string | null = bytes.read()
  if (chunk === null) return new Uint8Array()
  bytes.unshift(chunk)
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}
