import { newId } from '../../../platform/common/secrets.js'
import { safeErrors } from '../errors.js'
import { isSameLocation } from '../folder-location.js'
import { ClaimLost } from '../stores/synced-rows.js'
import type { KnownFile } from '../stores/types.js'
import { FolderRun, HOLD_MS, type RunDependencies, type RunResult, type SyncOptions } from './folder-run.js'
import { declaredHashes, knownFiles, requireMostRemain, toReadIn } from './known-files.js'
import { type FoundFile, planOf } from './plan.js'

/**
 * The files that a run would have to read. Their hashes are known, so this reads none of them, and needs no claim.
 * @throws DomainError 409 when something must be confirmed
 */
export async function filesToSync(
  { syncedFolders }: Pick<RunDependencies, 'syncedFolders'>,
  safeId: string,
  { name, folder, confirmed = false }: Pick<SyncOptions, 'name' | 'folder' | 'confirmed'>,
  files: readonly FoundFile[],
): Promise<FoundFile[]> {
  requireName(name)
  const before = await syncedFolders.find(safeId, name)
  if (before && !isSameLocation(before.location, folder) && !confirmed)
    throw safeErrors.folderElsewhere(name, before.location)
  const known = before ? await knownFiles(syncedFolders, before) : new Map<string, KnownFile>()
  const plan = planOf(known, files, declaredHashes(files, before?.report ?? null).hashes)
  if (!confirmed) requireMostRemain(name, plan, known, files)
  return toReadIn(plan).map(({ found }) => found)
}

/**
 * Makes the Safe contain the folder's files, in one step (ADR 52).
 * @throws DomainError 409 when another run holds the folder, or something must be confirmed
 */
export async function syncFolder(
  dependencies: RunDependencies,
  accountId: string,
  safeId: string,
  options: SyncOptions,
  signal: AbortSignal,
): Promise<RunResult> {
  const { sync, clock } = dependencies
  const { name, folder, confirmed: moved = false } = options
  requireName(name)
  const now = clock()
  const wanted = { name, folder, moved, holder: newId(), now, until: now + HOLD_MS }
  const claim = await sync.claim(safeId, wanted)
  if ('busyUntil' in claim) throw safeErrors.folderBusy(name, Math.ceil((claim.busyUntil - now) / 1000))
  if ('elsewhere' in claim) throw safeErrors.folderElsewhere(name, claim.elsewhere)
  const run = new FolderRun(dependencies, claim, accountId, options, signal)
  try {
    return await run.run()
  } catch (error) {
    if (error instanceof ClaimLost) throw safeErrors.folderChanged(name)
    await sync.end(claim, clock(), null).catch(dependencies.onError)
    throw error
  }
}

/** @throws DomainError 400 */
function requireName(name: string): void {
  if (!/^[^\p{Cc}]{1,200}$/u.test(name)) throw safeErrors.folderName()
}
