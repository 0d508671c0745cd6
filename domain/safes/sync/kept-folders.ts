import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { DomainError, notFound } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import { safeErrors } from '../errors.js'
import { isHidden } from '../imports/import-files.js'
import type { KeptFolder, KeptFolderStore } from '../stores/kept-folder.sql.js'
import { contentsOf } from './folder-contents.js'
import { localSync } from './local-sync.js'
import type { SyncedFolders } from './synced-folders.js'

export type { KeptFolder } from '../stores/kept-folder.sql.js'

/** How long the start of a run waits for its end. */
const PATIENCE_MS = 2_000
const MAX_OFFERED = 200

interface KeptFoldersDependencies {
  store: KeptFolderStore
  folders: SyncedFolders
  /** The folders that may be chosen, including their subfolders: SYNC_FOLDERS. */
  allowed: readonly string[]
  /** The service's own data, which no Safe reads. */
  dataDir: string
  requireOwner(accountId: string, safeId: string): Promise<unknown>
  isAdmin(accountId: string): Promise<boolean>
  onError(error: unknown): void
}

/**
 * Folders of the server that the service itself syncs into Safes (ADR 52). An administrator who owns the Safe
 * chooses them, since they are files of the server; each owner may start a run or end it.
 */
export class KeptFolders extends Part<KeptFoldersDependencies> {
  /** One run at a time. */
  readonly #turn = pLimit(1)
  #all: Promise<void> | null = null

  /** Paths to choose from: the allowed folders and their direct subfolders. Empty unless the account is an administrator. */
  async offered(accountId: string): Promise<string[]> {
    const { allowed, isAdmin } = this.dependencies
    if (allowed.length === 0 || !(await isAdmin(accountId))) return []
    const found = new Set<string>()
    for (const root of allowed) {
      const real = await this.#allowed(root).catch(() => null)
      const entries = await readdir(real ?? root, { withFileTypes: true }).catch(() => [])
      if (real !== null) found.add(real)
      for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
        if (!entry.isDirectory() || isHidden(entry.name)) continue
        const inner = await this.#allowed(join(root, entry.name)).catch(() => null)
        if (inner !== null && found.size < MAX_OFFERED) found.add(inner)
      }
    }
    return [...found]
  }

  /** Those of a Safe by name. */
  list(safeId: string): Promise<KeptFolder[]> {
    return this.dependencies.store.list(safeId)
  }

  /** Chooses a folder and begins its first run. @throws notFound for others than administrators, DomainError 400, 409 */
  async keep(accountId: string, safeId: string, folder: string): Promise<void> {
    const { store, requireOwner, isAdmin } = this.dependencies
    await requireOwner(accountId, safeId)
    if (!(await isAdmin(accountId))) throw notFound('page')
    const real = await this.#allowed(folder)
    const row = { safe_id: safeId, name: basename(real) || real, folder: real, account_id: accountId }
    const kept = { ...row, problem_code: null, problem: null }
    if (!(await store.add(kept))) throw safeErrors.folderTaken(row.name)
    await this.#begin(kept, false)
  }

  /** Runs one now. `confirmed`: also if most of its files are gone. */
  async syncNow(accountId: string, safeId: string, name: string, confirmed: boolean): Promise<void> {
    await this.dependencies.requireOwner(accountId, safeId)
    const kept = (await this.list(safeId)).find(row => row.name === name)
    if (kept) await this.#begin(kept, confirmed)
  }

  /** Stops syncing a folder. Its content stays. */
  async stop(accountId: string, safeId: string, name: string): Promise<void> {
    await this.dependencies.requireOwner(accountId, safeId)
    await this.dependencies.store.remove(safeId, name)
  }

  /** Runs all, one after the other, unless the previous call still runs. */
  runAll(): Promise<void> {
    this.#all ??= this.#runAll()
      .catch(this.dependencies.onError)
      .finally(() => {
        this.#all = null
      })
    return this.#all
  }

  async #runAll(): Promise<void> {
    if (this.dependencies.allowed.length === 0) return
    for (const kept of await this.dependencies.store.list()) await this.#turn(() => this.#run(kept, false))
  }

  async #begin(kept: KeptFolder, confirmed: boolean): Promise<void> {
    const running = this.#turn(() => this.#run(kept, confirmed)).catch(this.dependencies.onError)
    await Promise.race([running, pause(PATIENCE_MS, undefined, { ref: false })])
  }

  /** Stores the error for the page; another run of the folder is not an error. */
  async #run(kept: KeptFolder, confirmed: boolean): Promise<void> {
    const { store, folders, isAdmin, onError } = this.dependencies
    const { safe_id, name, folder, account_id } = kept
    const note = async (code: string | null, text: string | null) => {
      if (code !== kept.problem_code || text !== kept.problem) await store.setProblem(kept, code, text)
    }
    try {
      if (!(await isAdmin(account_id))) throw safeErrors.onlyAdmins()
      if ((await this.#allowed(folder)) !== folder) throw safeErrors.folderNotAllowed(folder)
      const options = { name, folder, confirmed, walk: () => contentsOf(folder) }
      await localSync(run => folders.sync(account_id, safe_id, run), options)
      await note(null, null)
    } catch (error) {
      if (!(error instanceof DomainError)) onError(error)
      else if (error.code !== 'folder_busy') await note(error.code, error.message)
    }
  }

  /** The path of a folder without links, if it may be chosen. @throws DomainError 403, 409 */
  async #allowed(folder: string): Promise<string> {
    const { allowed, dataDir } = this.dependencies
    const real = await realFolder(folder)
    if (real === null) throw safeErrors.folderGone(folder)
    const roots = await Promise.all(allowed.map(realFolder))
    const data = (await realFolder(dataDir)) ?? dataDir
    if (!roots.some(root => root !== null && isIn(root, real)) || isIn(real, data) || isIn(data, real))
      throw safeErrors.folderNotAllowed(folder)
    return real
  }
}

async function realFolder(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null)
  return real !== null && (await stat(real).catch(() => null))?.isDirectory() ? real : null
}

/** Whether a path is a folder or inside it. Both are without links. */
const isIn = (folder: string, path: string) => relative(folder, path).split(sep)[0] !== '..'
