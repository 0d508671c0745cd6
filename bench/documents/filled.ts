import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { safeStores } from '../../safes/stores/safe-stores.js'
import { emptyBatch } from '../../safes/stores/types.js'
import type { Database } from '../../storage/database.js'

/** Notes of one transaction, which have four rows each. */
const AT_ONCE = 100
const HOUR = 3_600_000

/** The path of a note. */
export const pathOf = (at: number) => `folder ${at % 40}/part ${at % 7}/Note ${at}.md`

/** Writes so many short notes into a Safe as an import does that has read them. */
export async function fill(
  database: Database,
  safeId: string,
  createdBy: string,
  count: number,
): Promise<void> {
  const { imports } = safeStores(database)
  const counts = { entities: count, relations: 0, passages: count }
  const report = {
    ...{ counts, badLineCount: 0, badLines: [], problem: null, bytesRead: 0, bytesTotal: null },
  }
  const lease = { leaseUntil: Date.now() + HOUR, report }
  const start = { source: 'vault.zip', format: 'markdown', createdBy, at: Date.now(), ...lease }
  const { id: importId } = await imports.begin(safeId, start)
  for (let from = 0; from < count; from += AT_ONCE) {
    const rows = emptyBatch()
    for (let at = from; at < Math.min(count, from + AT_ONCE); at++) {
      const title = `Note ${at}`
      const body = `Some words of number ${at}.`
      const text = `---\ntags: [tag ${at % 50}]\n---\n# ${title}\n\n${body}\n`
      const entityKey = title.toLowerCase()
      const place = { documentId: at, line: 4, source: null, seq: null, time: null }
      rows.entities.push({ key: entityKey, name: title, type: 'note', named: true })
      rows.passages.push({ id: at, entityKey, title, text: body, ...place })
      rows.documents.push({
        ...{ id: at, path: pathOf(at), title, kind: 'markdown', kept: 'whole', parts: 1, time: null },
        ...{ size: text.length, textBytes: text.length, tags: [`tag ${at % 50}`] },
        contentHash: createHash('sha256').update(text).digest('base64url'),
      })
      rows.documentTexts.push({ documentId: at, part: 0, bytes: deflateRawSync(text) })
    }
    await imports.append(safeId, importId, rows, lease)
  }
  await imports.finish(safeId, importId, createHash('sha256').update(safeId).digest('hex'), lease)
  await imports.commit(safeId, importId, Date.now())
}
