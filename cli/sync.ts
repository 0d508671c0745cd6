import { realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { failedFilesText, runLeftOutTexts, runTexts } from '../domain/safes/imports/report-text.js'
import type { SyncReport } from '../domain/safes/safe.js'
import { contentsOf, type Earlier, type FolderContents } from '../domain/safes/sync/folder-contents.js'
import type { SyncOptions } from '../domain/safes/sync/folder-run.js'
import { DomainError } from '../platform/common/domain-error.js'
import { counted, showNumber } from '../platform/common/format.js'
import { Unavailable } from '../platform/common/unavailable.js'
import { writeAccepted } from './accepted-notes.js'
import { agentFolders, agentSessions } from './agent-sessions.js'
import {
  type CommandContext,
  CommandError,
  type Printed,
  print,
  printMessage,
  UsageError,
} from './command.js'
import { type Confirmed, confirm } from './confirm.js'
import { FolderWatch } from './folder-watch.js'
import { printLines } from './import.js'
import { PLACE } from './place.js'
import { SignedOut } from './remote/oauth.js'
import type { TargetSafe } from './target.js'

/** Options of `svc safe sync`. */
interface SyncCommandOptions extends Printed, Confirmed {
  name?: string
  watch?: true
  agents?: true
  /** Where new notes are written; "." is the whole folder. */
  acceptNotes?: string
}

/** Errors that the person can confirm to continue. */
const CONFIRMABLE = ['removes_most', 'folder_elsewhere']
const PROGRESS_MS = 5_000

/** Adds `safe sync`. */
export function syncCommand(safe: Command, context: CommandContext): void {
  safe
    .command('sync')
    .description('Keeps a Safe in step with a folder: adds, replaces and removes what has changed in it.')
    .argument('<safe>', 'Its id or name.')
    .argument('[folder]', 'A folder of notes or other files, such as a Git checkout.')
    .option(
      '--agents',
      'The sessions of Claude Code, Codex and Gemini CLI on this machine, instead of a folder.',
    )
    .option(
      '--accept-notes <dir>',
      'Before each run, write accepted edits of its files into the folder, and new notes of this folder in it (. for all). Never over a file that has changed.',
    )
    .option('--watch', 'Keep running until stopped.')
    .option('--name <name>', 'The name of the folder in the Safe. Default: its own name.')
    .option('-y, --yes', 'Continue if the folder has moved, or most of its files are gone.')
    .option('--json', 'Print JSON, one line a run.')
    .option(...PLACE.server)
    .option(...PLACE.local)
    .action(async (idOrName: string, folder: string | undefined, options: SyncCommandOptions) => {
      if ((folder === undefined) === (options.agents === undefined))
        throw new UsageError('Name a folder, or use --agents.')
      if (options.agents && options.acceptNotes !== undefined)
        throw new UsageError('--accept-notes needs a folder.')
      const synced = folder === undefined ? agentsHere(context) : await folderAt(folder)
      const safe = await (await context.target()).findSafe(idOrName)
      const runs = new Runs(context, safe, synced, options)
      if (options.watch) await runs.watch()
      else await runs.once()
    })
}

/** The source to sync into a Safe. */
interface SyncSource {
  name: string
  /** Its location, for people. */
  location: string
  /** `changed`: the paths that may have changed since it was called before; null: all. */
  contents(changed: ReadonlySet<string> | null): Promise<FolderContents>
}

async function folderAt(folder: string): Promise<SyncSource> {
  const root = await realpath(folder).catch(() => null)
  if (root === null || !(await stat(root)).isDirectory())
    throw new CommandError(`There is no folder ${folder}.`)
  const earlier: Earlier = { folders: new Map(), changed: null, waits: true }
  const contents = (changed: ReadonlySet<string> | null) =>
    contentsOf(root, undefined, Object.assign(earlier, { changed }))
  return { name: basename(root), location: root, contents }
}

function agentsHere({ env }: CommandContext): SyncSource {
  const folders = agentFolders(env)
  const location = folders.map(({ folder }) => folder).join(', ')
  return { name: 'Coding agents', location, contents: () => agentSessions(folders) }
}

/** Runs over one folder. */
class Runs {
  readonly #context: CommandContext
  readonly #safe: TargetSafe
  readonly #synced: SyncSource
  readonly #name: string
  readonly #options: SyncCommandOptions
  #folders: readonly string[] = []
  #changed: ReadonlySet<string> | null = null

  constructor(context: CommandContext, safe: TargetSafe, synced: SyncSource, options: SyncCommandOptions) {
    this.#context = context
    this.#safe = safe
    this.#synced = synced
    this.#name = options.name ?? synced.name
    this.#options = options
  }

  /** @throws CommandError if a file could not be read */
  async once(): Promise<void> {
    const { report } = await this.#run()
    this.#print(report)
    await this.#safe.idle()
    if (report.failedCount > 0)
      throw new CommandError(`${failedFilesText(report.failedCount)}. The Safe keeps what was read before.`)
  }

  async watch(): Promise<void> {
    const watch = new FolderWatch()
    try {
      await this.#follow(watch)
    } finally {
      watch.close()
    }
  }

  async #follow(watch: FolderWatch): Promise<never> {
    let [said, failed] = ['', '']
    for (;;) {
      try {
        const { report } = await this.#run()
        const failing = JSON.stringify(report.failed)
        if (report.run !== null || said === '' || failing !== failed) this.#print(report)
        ;[said, failed] = ['done', failing]
      } catch (error) {
        if (said === '' || !isTemporary(error)) throw error
        if (said !== error.message) printMessage(this.#context, error.message)
        said = error.message
      }
      watch.of(this.#folders)
      this.#changed = await watch.changed()
    }
  }

  async #run(): Promise<{ report: SyncReport }> {
    await this.#accept()
    let shownAt = performance.now()
    const options: SyncOptions = {
      name: this.#name,
      folder: this.#synced.location,
      walk: async () => {
        const { folders, ...found } = await this.#synced.contents(this.#changed)
        this.#changed = null
        this.#folders = folders
        return found
      },
      confirmed: this.#options.yes ?? false,
      onProgress: (read, toRead) => {
        if (performance.now() - shownAt < PROGRESS_MS) return
        shownAt = performance.now()
        printMessage(this.#context, `${showNumber(read)} of ${counted('file', 'files')(toRead)}`)
      },
    }
    try {
      return await this.#safe.sync(options)
    } catch (error) {
      const isOpen = error instanceof DomainError && CONFIRMABLE.includes(error.code)
      if (!isOpen || this.#options.yes || this.#options.watch || !this.#context.stdin.isTTY) throw error
      await confirm(this.#context, {}, error.message)
      return this.#safe.sync({ ...options, confirmed: true })
    }
  }

  /** Writes accepted texts of the Safe into the folder, if its person asks for it. */
  async #accept(): Promise<void> {
    const { acceptNotes, json } = this.#options
    if (acceptNotes === undefined) return
    const below = acceptNotes === '.' ? '' : `${acceptNotes.replace(/^\.\/|(?<!\/)\/+$/g, '')}/`
    const notes = this.#safe.notesFor(this.#name, below)
    const accepted = await writeAccepted(this.#synced.location, notes)
    if (json && accepted.written.length + accepted.conflicts.length > 0)
      print(this.#context, JSON.stringify(accepted))
    for (const path of accepted.written)
      printMessage(this.#context, `Written from “${this.#safe.name}”: ${path}`)
    for (const path of accepted.conflicts)
      printMessage(
        this.#context,
        `Conflict: ${path} has changed here and in “${this.#safe.name}”. The file here stays; the other text is among the versions of the document.`,
      )
  }

  #print(report: SyncReport): void {
    if (this.#options.json) {
      print(this.#context, JSON.stringify(report))
      return
    }
    for (const { path, badLines } of report.failed)
      printLines(
        this.#context,
        badLines.map(line => ({ ...line, file: path })),
      )
    printLines(this.#context, report.remarks ?? [])
    const leftOut = runLeftOutTexts(report.leftOut).join(', ')
    if (leftOut !== '') printMessage(this.#context, `Left out: ${leftOut}.`)
    const changes = runTexts(report).join(', ')
    printMessage(
      this.#context,
      changes === ''
        ? `Nothing has changed in “${this.#name}”.`
        : `“${this.#safe.name}” is in step with “${this.#name}”: ${changes}.`,
    )
    if (report.run !== null) print(this.#context, String(report.run))
  }
}

/** An error that the next run may not have. */
const isTemporary = (error: unknown): error is Error =>
  (error instanceof DomainError || error instanceof Unavailable || error instanceof CommandError) &&
  !(error instanceof SignedOut)
