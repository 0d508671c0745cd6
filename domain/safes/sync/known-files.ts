import { safeErrors } from '../errors.js'
import { isMarkdown } from '../imports/import-files.js'
import type { FailedFile, SyncReport } from '../safe.js'
import type { NewVersion } from '../stores/sync.sql.js'
import type { SyncedFolderStore } from '../stores/synced-folder.sql.js'
import type { Claim } from '../stores/synced-rows.js'
import type { KnownFile } from '../stores/types.js'
import type { FilePair, FoundFile, Plan } from './plan.js'

/** A run that removes this many files, and more than half of them, must be confirmed. */
const MANY = 10

/** The visible files by path. */
export async function knownFiles(
  syncedFolders: SyncedFolderStore,
  folder: Pick<Claim, 'safeId' | 'folder' | 'visibleRun'>,
): Promise<Map<string, KnownFile>> {
  return new Map((await syncedFolders.files(folder)).map(file => [file.path, file]))
}

/** The visible files of the folder that this process has synced last: most runs find one change among thousands. */
export class LastFolder {
  #state = ''
  #known = new Map<string, KnownFile>()

  /** Like `knownFiles`; `keep` tells what a run makes of them. Until then they are forgotten. */
  async take(syncedFolders: SyncedFolderStore, claim: Claim): Promise<Map<string, KnownFile>> {
    const known =
      this.#state === stateOf(claim, claim.visibleRun) ? this.#known : await knownFiles(syncedFolders, claim)
    this.#state = ''
    return known
  }

  keep(claim: Claim, visibleRun: number, known: Map<string, KnownFile>): void {
    this.#known = known
    this.#state = stateOf(claim, visibleRun)
  }
}

const stateOf = ({ safeId, folder }: Claim, visibleRun: number) => `${safeId} ${folder} ${visibleRun}`

/** The file as it is known once its new version is visible. */
export function knownAs({ path, lineBreaks }: FoundFile, version: NewVersion): KnownFile {
  const { lookedUp, isBad: _, ...rest } = version
  const kind = lineBreaks ? 'markdown-lines' : 'markdown'
  return { ...rest, lookedUp: lookedUp && new Set(lookedUp), kind: isMarkdown(path) ? kind : null }
}

/** Hashes that are known without reading; null for files that could not be read and have not changed since. */
export function declaredHashes(files: readonly FoundFile[], report: SyncReport | null) {
  const before = new Map(report?.failed.map(file => [file.path, file]))
  const hashes = new Map<string, string | null>()
  const failed: FailedFile[] = []
  for (const { path, size, modifiedAt, contentHash } of files) {
    const known = before.get(path)
    const isSame =
      contentHash === undefined ? known?.modifiedAt === modifiedAt : known?.contentHash === contentHash
    if (known && known.size === size && isSame) {
      failed.push(known)
      hashes.set(path, null)
    } else if (contentHash !== undefined) hashes.set(path, contentHash)
  }
  return { hashes, failed }
}

/** An unmounted disk looks like an empty folder. @throws DomainError 409 */
export function requireMostRemain(
  name: string,
  { removed }: Plan,
  known: ReadonlyMap<string, KnownFile>,
  files: readonly FoundFile[],
): void {
  const isMost = removed.length >= MANY && removed.length * 2 > known.size
  const isAll = removed.length > 0 && files.length === 0
  if (isMost || isAll) throw safeErrors.removesMost(name, removed.length, known.size)
}

/** The work of a run. */
export const toReadIn = ({ added, changed, renamed, relinked }: Plan): FilePair[] =>
  [added, changed, renamed, relinked].flat()
