import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { chooseFiles, type ImportFiles } from '../../domain/safes/imports/import-files.js'
import type { Import } from '../../domain/safes/safe.js'
import { isVaultSettings } from '../../engine/formats/index.js'
import { DomainError } from '../../platform/common/domain-error.js'
import type { ImportAnswer, NewImport } from '../../routes/api/import-schemas.js'
import { CommandError } from '../command.js'
import type { ReadOptions } from '../target.js'
import type { Api } from './api.js'
import { undoneWhenEnded } from './interruption.js'
import { type UploadFile, upload } from './upload.js'

const MAX_UPLOADS = 1_000
/** Maximum uploads of an account at a time. */
const AT_ONCE = 2
const POLL_MS = 1_000
const FIRST_POLL_MS = 100

/** Uploads files, and the server reads them as one import. Without `commit`, the caller discards it. */
export async function importRemotely(api: Api, safeId: string, options: ReadOptions): Promise<Import> {
  const { source } = options
  if (source.kind === 'file') {
    const { name, path, size } = source
    const open = async () => createReadStream(path)
    return importContents(api, safeId, [{ name, size, open }], options)
  }
  if (source.kind === 'folder') {
    const { contents, leftOut } = await contentsOf(source.files, options.skipBad)
    const done = await importContents(api, safeId, contents, options)
    return leftOut.length > 0 ? { ...done, leftOut } : done
  }
  return spooled(source.bytes, (path, size) =>
    importContents(
      api,
      safeId,
      [{ name: source.name, size, open: async () => createReadStream(path) }],
      options,
    ),
  )
}

async function importContents(
  api: Api,
  safeId: string,
  contents: UploadFile[],
  options: ReadOptions,
): Promise<Import> {
  const imports = `/safes/${safeId}/imports`
  const uploads: string[] = []
  let begun: ImportAnswer | null = null
  const giveUp = async () => {
    if (begun) await api.request(`${imports}/${begun.id}`, { method: 'DELETE', tries: 1 })
    else await Promise.all(uploads.map(id => discard(api, safeId, id)))
  }
  return undoneWhenEnded(giveUp, async () => {
    uploads.push(...(await uploadAll(api, safeId, contents, options)))
    const json: NewImport = {
      uploads,
      skip_bad: options.skipBad,
      commit: options.commit,
      ...(options.format === undefined ? {} : { format: options.format }),
      ...(options.nameColumn === undefined ? {} : { name_column: options.nameColumn }),
      ...(options.source.kind === 'folder' ? { name: options.source.name } : {}),
    }
    const begin = () => api.json<ImportAnswer>(imports, { method: 'POST', json })
    begun = await begin().catch(error => {
      throw lostAnswer(error, api)
    })
    return followed(api, safeId, begun, begin, options)
  })
}

/** Waits until the import has been read. If a restart of the server ended it, it is started again. */
async function followed(
  api: Api,
  safeId: string,
  begun: ImportAnswer,
  begin: () => Promise<ImportAnswer>,
  { onProgress }: ReadOptions,
): Promise<Import> {
  let now = begun
  for (let wait = FIRST_POLL_MS; now.status === 'staging'; wait = Math.min(wait * 2, POLL_MS)) {
    await pause(wait)
    try {
      now = await api.json<ImportAnswer>(`/safes/${safeId}/imports/${now.id}`)
    } catch (error) {
      if (!(error instanceof DomainError) || error.status !== 404) throw error
      now = await begin()
    }
    onProgress(importOf(safeId, now))
  }
  return importOf(safeId, now)
}

/** After a break, the first request may have arrived although its answer did not. */
function lostAnswer(error: unknown, { server }: Api): unknown {
  if (!(error instanceof DomainError) || error.code !== 'upload_in_use') return error
  return new CommandError(
    `The connection broke while the import began. Look at the Safe on ${server} before you try again.`,
  )
}

async function uploadAll(
  api: Api,
  safeId: string,
  contents: UploadFile[],
  { onSent }: ReadOptions,
): Promise<string[]> {
  const total = contents.reduce((sum, { size }) => sum + size, 0)
  const sent = new Map<UploadFile, number>()
  const limit = pLimit(AT_ONCE)
  return Promise.all(
    contents.map(content =>
      limit(() =>
        upload(api, safeId, content, bytes => {
          sent.set(content, bytes)
          onSent(
            [...sent.values()].reduce((sum, some) => sum + some, 0),
            total,
          )
        }),
      ),
    ),
  )
}

const discard = (api: Api, safeId: string, id: string) =>
  api.request(`/safes/${safeId}/uploads/${id}`, {
    method: 'DELETE',
    headers: { 'Tus-Resumable': '1.0.0' },
    tries: 1,
  })

/** The files of a folder that the server would read; the others are not sent. */
async function contentsOf(files: ImportFiles, skipBad: boolean) {
  const [problem] = files.problems
  if (problem && !skipBad)
    throw new CommandError(
      `Nothing was imported. ${problem.file}: ${problem.problem} To leave it out: --skip-bad`,
    )
  const { read, leftOut } = chooseFiles(files)
  if (read.length === 0) throw new CommandError('There is no file in this folder that can be read.')
  const settings = files.files.filter(({ path }) => isVaultSettings(path))
  if (read.length + settings.length > MAX_UPLOADS)
    throw new CommandError(
      'A server takes at most 1,000 files of a folder at once. Use svc safe sync, which has no such limit, or import a zip of the folder.',
    )
  const contents = await Promise.all(
    [...read.map(({ file }) => file), ...settings].map(async ({ path, open }) => ({
      name: path,
      size: await sizeOf(open),
      open,
    })),
  )
  return { contents, leftOut }
}

async function sizeOf(open: () => Promise<AsyncIterable<Uint8Array>>): Promise<number> {
  let size = 0
  for await (const some of await open()) size += some.length
  return size
}

/** Standard input can be read only once, so it is stored in a file until it has been sent. */
async function spooled<Result>(
  bytes: Readable,
  work: (path: string, size: number) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-'))
  try {
    const path = join(folder, 'input')
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }))
    return await work(path, (await stat(path)).size)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same import in the form of the domain, without members that do not apply. It is not a run of a synced folder. */
function importOf(safeId: string, shown: ImportAnswer): Import {
  return {
    safeId,
    id: shown.id,
    status: shown.status,
    source: shown.source,
    format: shown.format,
    counts: shown.counts,
    badLineCount: shown.bad_line_count,
    badLines: shown.bad_lines,
    problem: shown.problem,
    ...(shown.tables.length === 0
      ? {}
      : { tables: shown.tables.map(({ has_header: hasHeader, ...table }) => ({ ...table, hasHeader })) }),
    ...(shown.documents === undefined ? {} : { documents: shown.documents }),
    ...(shown.remarks ? { remarks: shown.remarks } : {}),
    ...(shown.merged_names ? { mergedNames: shown.merged_names } : {}),
    ...(shown.left_out.length === 0 ? {} : { leftOut: shown.left_out }),
    ...(shown.same_as === null ? {} : { sameAs: shown.same_as }),
    ...(shown.comparison === null ? {} : { comparison: shown.comparison }),
    bytesRead: shown.bytes_read,
    bytesTotal: shown.bytes_total,
    createdAt: Date.parse(shown.created_at),
    by: null,
    committedAt: shown.committed_at === null ? null : Date.parse(shown.committed_at),
    merged: shown.merged,
  }
}
