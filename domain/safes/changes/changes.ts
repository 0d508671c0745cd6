import { Part } from '../../part.js'
import type { SafesShared } from '../dependencies.js'
import { NOTES_FOLDER } from '../folder-location.js'
import { requireReader } from '../membership.js'
import type { RemovedStatement } from '../removed/removed.js'
import type { ImportReport, RunCounts } from '../safe.js'
import type { ChangedDocument } from '../stores/listed-imports.sql.js'

/** Maximum documents read per change: one more than a page shows, to know whether there are more. */
const DOCUMENTS = 4

/** A change of a Safe, and its time. */
export type Change = { at: number } & (
  | {
      kind: 'import' | 'folder' | 'notes'
      /** The name of the import or of the folder. */
      source: string
      /** The first documents that it added. */
      documents: ChangedDocument[]
      /** Facts and passages. */
      statements: number
      /** For a run of a folder. */
      run: (RunCounts & { by?: string }) | null
    }
  | ({ kind: 'removal' } & Pick<RemovedStatement, 'shown'> & { isFact: boolean })
)

/** The latest changes of Safes: imports, runs of folders, notes, accepted proposals, removals. */
export class Changes extends Part<Pick<SafesShared, 'safes' | 'listedImports' | 'decisions'>> {
  /** The latest first. Only owners see removed items. @throws notFound for Safes that the account may not read */
  async latest(accountId: string, safeId: string, limit: number): Promise<Change[]> {
    const { safes, listedImports, decisions } = this.dependencies
    const { role } = await requireReader(safes, accountId, safeId)
    const [imports, removed] = await Promise.all([
      listedImports.latest(safeId, limit),
      role === 'owner' ? decisions.latestRemoved(safeId, limit) : [],
    ])
    const added = imports.map(async (row): Promise<Change> => {
      const { counts, sync }: ImportReport = JSON.parse(row.report_json)
      return {
        kind: sync ? (row.source === NOTES_FOLDER ? 'notes' : 'folder') : 'import',
        at: Number(row.committed_at ?? row.created_at),
        source: row.source,
        documents: await listedImports.documentsOf(safeId, row.id, sync?.folder ?? null, DOCUMENTS),
        statements: Math.max(0, counts.relations + counts.passages),
        run: sync ?? null,
      }
    })
    const removals = removed.map(
      ({ kind, shown, removedAt }): Change => ({
        ...{ kind: 'removal', at: removedAt },
        ...{ shown, isFact: kind === 'fact' },
      }),
    )
    return [...(await Promise.all(added)), ...removals]
      .sort((one, other) => other.at - one.at)
      .slice(0, limit)
  }
}
