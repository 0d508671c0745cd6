import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { counted } from '../platform/common/format.js'
import { type CommandContext, CommandError, printMessage } from './command.js'
import { PLACE } from './place.js'

interface ExportOptions {
  format: string
  output?: string
}

/** Adds `svc safe export`. */
export function exportCommand(safe: Command, context: CommandContext): void {
  safe
    .command('export')
    .description(
      'Writes a Safe to standard output, or to a file or folder, in a format that can be imported again.',
    )
    .argument('<safe>', 'Its id or name.')
    .requiredOption('--format <format>', 'markdown (a zip of the documents), jsonl, ntriples or csv.')
    .option(
      '-o, --output <path>',
      'A file to write, or, with markdown, a folder that is new or empty: end it with a slash.',
    )
    .option(...PLACE.server)
    .option(...PLACE.local)
    .action(async (idOrName: string, options: ExportOptions) => {
      const safe = await (await context.target()).findSafe(idOrName)
      const chunks = () => safe.export(options.format)
      if (options.output === undefined) return toStandardOutput(context, options.format, chunks)
      if (await isFolder(options.output)) return toFolder(context, options, chunks)
      await toFile(resolve(options.output), await chunks())
    })
}

type Chunks = () => Promise<AsyncIterable<string | Uint8Array>>

async function toStandardOutput({ stdout }: CommandContext, format: string, chunks: Chunks): Promise<void> {
  if (format === 'markdown' && 'isTTY' in stdout && stdout.isTTY)
    throw new CommandError(
      'A zip archive cannot be shown in a terminal. Write it to a file or a folder: -o notes.zip or -o notes/',
    )
  await pipeline(await chunks(), stdout, { end: false })
}

/** The file is complete or does not exist. */
async function toFile(path: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  const unfinished = join(dirname(path), `.${randomBytes(6).toString('hex')}.part`)
  try {
    await pipeline(chunks, createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }))
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function isFolder(path: string): Promise<boolean> {
  if (path.endsWith('/') || path.endsWith(sep)) return true
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

async function toFolder(
  context: CommandContext,
  { format, output = '' }: ExportOptions,
  chunks: Chunks,
): Promise<void> {
  if (format !== 'markdown')
    throw new CommandError('Only markdown is written to a folder. Name a file instead.')
  const folder = resolve(output)
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0)
    throw new CommandError(`The folder ${output} is not empty. Nothing was written.`)
  const temporary = await mkdtemp(join(tmpdir(), 'svc-'))
  try {
    const archive = join(temporary, 'export.zip')
    await toFile(archive, await chunks())
    const files = await unpack(archive, folder)
    printMessage(context, `Wrote ${counted('file', 'files')(files)} to ${output}`)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/**
 * Unpacks into an empty folder: never writes outside of it (yauzl refuses such paths), no file is
 * written over another, and no links are created.
 */
async function unpack(archive: string, folder: string): Promise<number> {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(archive, { strictFileNames: true })
  let files = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    const path = join(folder, entry.fileName)
    if (!path.startsWith(folder + sep))
      throw new CommandError(`The archive names a file outside of it: ${entry.fileName}`)
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, 'wx', 0o666)
    await pipeline(await zip.openReadStreamPromise(entry), file.createWriteStream())
    files++
  }
  return files
}
