import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Import, ImportOptions } from '../plugins/safes/safe.js'
import {
  type Arguments,
  type Command,
  type Context,
  print,
  printList,
  Refusal,
  tell,
  UsageError,
} from './command.js'
import { allOf, findSafe, from } from './find.js'
import { filesOf } from './folder.js'
import { Progress } from './progress.js'

export const importCommands: Command[] = [
  {
    name: 'safe import',
    usage: 'SAFE FILE|- [--format F] [--skip-bad] [--dry-run] [--json]',
    summary: 'Reads a file or a folder of notes into a Safe, all or nothing, and prints the import’s id.',
    options: {
      format: { type: 'string' },
      'skip-bad': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
    },
    run: importFile,
  },
  {
    name: 'safe imports',
    usage: 'SAFE [--json]',
    summary: 'Lists what was imported into a Safe: id, status, source, format.',
    options: { json: { type: 'boolean' } },
    async run(context, args) {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, args.SAFE)
      const imports = allOf(
        (after: number | undefined) => app.safes.imports(ownerId, safe.id, from(after)),
        item => item.id,
      )
      await printList(context, args, imports, ['id', 'status', 'source', 'format'])
    },
  },
  {
    name: 'safe undo',
    usage: 'SAFE IMPORT',
    summary: 'Takes an import out of a Safe again.',
    async run(context, args) {
      const importId = Number(args.IMPORT)
      if (!Number.isSafeInteger(importId))
        throw new UsageError('IMPORT is a number, as svc safe imports lists it.')
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, args.SAFE)
      await app.safes.undoImport(ownerId, safe.id, importId)
      await app.safes.settled()
      tell(context, `Import ${importId} of “${safe.name}” is undone.`)
    },
  },
]

async function importFile(context: Context, args: Arguments): Promise<void> {
  const dryRun = args.options['dry-run'] === true
  const file = await openFile(context, args)
  const app = await context.open()
  const { safe, ownerId } = await findSafe(app, args.SAFE)
  const progress = new Progress(context.stderr)
  const done = await app.safes
    .import(ownerId, safe.id, {
      ...file,
      skipBad: args.options['skip-bad'] === true,
      commit: !dryRun,
      onProgress: soFar => progress.show(soFar),
    })
    .finally(() => progress.end())
  tellBadLines(context, done)
  // Not a refusal, so that a script can import a file again and again: what it wanted is there.
  if (done.sameAs !== undefined) tell(context, done.problem ?? '')
  else if (done.status === 'failed') throw new Refusal(`Nothing was imported. ${done.problem}`)
  if (dryRun) {
    await app.safes.undoImport(ownerId, safe.id, done.id)
    await app.safes.settled()
  }
  if (dryRun) tell(context, `It would bring ${amountOf(done)}. Nothing was changed.`)
  else if (done.status === 'committed') tell(context, `“${safe.name}” now has ${amountOf(done)} more.`)
  if (args.options.json) print(context, JSON.stringify(done, null, 2))
  else if (!dryRun) print(context, String(done.sameAs ?? done.id))
}

function amountOf({ counts: { entities, relations, passages } }: Import): string {
  return `${count(entities, 'entity', 'entities')}, ${count(relations, 'relation')}, ${count(passages, 'passage')}`
}

async function openFile(
  { stdin }: Context,
  { FILE: file, options }: Arguments,
): Promise<Pick<ImportOptions, 'source' | 'format' | 'bytes' | 'files' | 'bytesTotal'>> {
  const format = typeof options.format === 'string' ? { format: options.format } : {}
  if (file === '-') {
    if (!options.format)
      throw new UsageError('Standard input has no name that tells its format: add --format.')
    return { source: 'standard input', bytes: stdin, ...format }
  }
  const found = await stat(file).catch(() => null)
  if (found?.isDirectory()) return { source: basename(resolve(file)), files: await filesOf(file) }
  if (!found?.isFile()) throw new Refusal(`There is no file ${file}.`)
  const bytes = createReadStream(file)
  return { source: basename(file), bytes, bytesTotal: found.size, ...format }
}

function tellBadLines(context: Context, { badLines, badLineCount }: Import) {
  for (const { file, line, problem } of badLines) {
    tell(context, `${file === undefined ? '' : `${file}, `}line ${line}: ${problem}`)
  }
  const more = badLineCount - badLines.length
  if (more > 0) tell(context, `and ${more} more bad lines`)
}

const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`
