import { extensionOf, findFormat, identify, identifyName } from '../../../engine/formats/index.js'
import type { Clock } from '../../../platform/common/clock.js'
import type { DomainError } from '../../../platform/common/domain-error.js'
import { safeErrors } from '../errors.js'
import type { Import, ImportOptions } from '../safe.js'
import type { ImportStore } from '../stores/import.sql.js'
import type { ImportReport } from '../stores/types.js'
import { WORK_LEASE_MS } from './dropping.js'
import { IMPORT_FORMATS } from './import-source.js'
import { startOf } from './start-of.js'

/** Characters of an unknown extension that an error names. */
const MAX_EXTENSION = 20

/**
 * Creates the import's row; `readImport` continues.
 * @throws DomainError 400 when no format fits
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

/** The source that answers name: the file's name, without folders and control characters. */
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
  // The bytes are looked at when it is read, but a name that says nothing is not taken before.
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
