import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { shownDocument } from '../domain/safes/documents/shown-document.js'
import type { ImportOptions } from '../domain/safes/safe.js'
import { localSync } from '../domain/safes/sync/local-sync.js'
import { allOf, findAccount, findSafe, from } from './find.js'
import { type ImportFrom, MAX_TOKENS, type SafesLocation, type TargetSafe } from './target.js'

/** Enough for the counts of a hundred Safes. Counting stops when the command ends. */
const PATIENCE_MS = 60_000

/** The installation on this machine, for its operator. */
export function localTarget(app: FastifyInstance): SafesLocation {
  return {
    async *safes(email) {
      const reader = email === undefined ? null : (await findAccount(app, email)).id
      const pages = async (after: string | undefined) => {
        const page = { ...from(after), patienceMs: PATIENCE_MS }
        return reader === null
          ? (await app.safes.all(page)).map(({ safe }) => safe)
          : app.safes.readableBy(reader, page)
      }
      for await (const { counts, ...safe } of allOf(pages, safe => safe.id)) yield { ...safe, ...counts }
    },
    async findSafe(idOrName) {
      const { safe, ownerId } = await findSafe(app, idOrName)
      return localSafe(app, safe, ownerId)
    },
  }
}

const pathOf = ({ path }: { path: string }) => path

/** A Safe, on behalf of one of its owners. */
function localSafe(
  { safes }: FastifyInstance,
  { id, name }: { id: string; name: string },
  ownerId: string,
): TargetSafe {
  return {
    id,
    name,
    ask: question => safes.questions.ask(ownerId, id, question),
    async *read(wanted) {
      let cursor: string | undefined
      do {
        const page = await safes.reading.page(ownerId, id, { ...wanted, cursor, maxTokens: MAX_TOKENS })
        yield shownDocument(page)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
    },
    import: ({ source, onSent: _, ...options }) =>
      safes.imports.add(ownerId, id, { ...optionsOf(source), ...options }),
    undoImport: importId => safes.imports.undo(ownerId, id, importId),
    notesFor: (folder, below) =>
      allOf(
        (after: string | undefined) => safes.notes.forFolder(ownerId, id, { folder, below, after }),
        pathOf,
      ),
    sync: options => localSync(run => safes.folders.sync(ownerId, id, run), options),
    export: async format => (await safes.export(ownerId, id, format)).chunks,
    idle: () => safes.idle(),
  }
}

function optionsOf(from: ImportFrom): Pick<ImportOptions, 'source' | 'bytes' | 'files' | 'bytesTotal'> {
  const { name: source } = from
  if (from.kind === 'stream') return { source, bytes: from.bytes }
  if (from.kind === 'folder') return { source, files: from.files }
  return { source, bytes: createReadStream(from.path), bytesTotal: from.size }
}
