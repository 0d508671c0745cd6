import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { FastifyInstance } from 'fastify'
import {
  comparisonTexts,
  leftOutTexts,
  lineText,
  mergedNamesTexts,
  tableTexts,
} from '../domain/safes/imports/report-text.js'
import type { BadLine, Import, MergedNames, TableSummary } from '../domain/safes/safe.js'
import { sizeTexts } from '../domain/safes/size-text.js'
import { type CommandContext, CommandError, type Printed, print, printList, printMessage } from './command.js'
import { type Confirmed, confirm, YES } from './confirm.js'
import { allOf, findSafe, from } from './find.js'
import { filesOf } from './folder.js'
import { PLACE } from './place.js'
import { Progress } from './progress.js'
import type { ImportFrom } from './target.js'

/** Options of `svc safe import`. */
interface ImportCommandOptions extends Printed {
  format?: string
  nameColumn?: string
  skipBad?: boolean
  dryRun?: boolean
}

/** Adds commands under `safe`. */
export function importCommands(safe: Command, context: CommandContext): void {
  safe
    .command('import')
    .description('Reads a file or a folder of notes into a Safe, all or nothing, and prints the import’s id.')
    .argument('<safe>', 'Its id or name.')
    .argument('<file>', 'A file, a folder of notes, or - for standard input.')
    .option('--format <format>', 'Format of the file, if its name does not show it.')
    .option('--name-column <header>', 'The column with the names of the rows, in tables.')
    .option('--skip-bad', 'Skip lines that cannot be read.')
    .option('--dry-run', 'Only report what would be added.')
    .option('--json', 'Print JSON.')
    .option(...PLACE.server)
    .option(...PLACE.local)
    .action((idOrName: string, file: string, options: ImportCommandOptions, command: Command) =>
      importFile(context, idOrName, file, options, command),
    )
  safe
    .command('imports')
    .description('Lists the imports of a Safe: id, status, source, format.')
    .argument('<safe>', 'Its id or name.')
    .option('--undone', 'Undone imports that can be restored: id, source, until when.')
    .option('--json', 'Print JSON.')
    .action(async (idOrName: string, options: Printed & { undone?: true }) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      if (options.undone) {
        const undone = undoneImports(app, ownerId, safe.id)
        return printList(context, options, undone, ['id', 'source', 'restorableUntil'])
      }
      const imports = allOf(
        (after: number | undefined) => app.safes.imports.list(ownerId, safe.id, from(after)),
        item => item.id,
      )
      await printList(context, options, imports, ['id', 'status', 'source', 'format'])
    })
  safe
    .command('undo')
    .description('Undoes an import. It can be restored for 7 days.')
    .argument('<safe>', 'Its id or name.')
    .argument('<import>', 'Its number, as listed by svc safe imports.', importNumber)
    .option(...YES)
    .action(async (idOrName: string, importId: number, options: Confirmed) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      const item = await app.safes.imports.find(ownerId, safe.id, importId)
      if (item) {
        const what = `${item.source}, ${sizeOf({ ...item.counts, documents: item.documents })}`
        await confirm(context, options, `Undo import ${importId} of “${safe.name}” (${what})?`)
      }
      await app.safes.imports.undo(ownerId, safe.id, importId)
      await app.safes.idle()
      printMessage(context, `Import ${importId} of “${safe.name}” is undone.`)
    })
}

/** Restores an undone import. @throws DomainError 404, 409 */
export async function restoreImport(
  context: CommandContext,
  app: FastifyInstance,
  idOrName: string,
  importId: number,
): Promise<void> {
  const { safe, ownerId } = await findSafe(app, idOrName)
  await app.safes.imports.restore(ownerId, safe.id, importId)
  printMessage(context, `Import ${importId} of “${safe.name}” is restored.`)
}

/** Undone imports that can be restored, with the time as text. */
async function* undoneImports(app: FastifyInstance, ownerId: string, safeId: string) {
  const pages = (after: number | undefined) => app.safes.imports.undone(ownerId, safeId, from(after))
  for await (const { restorableUntil, ...item } of allOf(pages, ({ id }) => id))
    yield { ...item, restorableUntil: new Date(restorableUntil).toISOString() }
}

/** Reads the number of an import from an argument. @throws InvalidArgumentError */
export function importNumber(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new InvalidArgumentError('Expected a number as listed by svc safe imports.')
}

async function importFile(
  context: CommandContext,
  idOrName: string,
  name: string,
  { dryRun = false, skipBad = false, format, nameColumn, json }: ImportCommandOptions,
  command: Command,
): Promise<void> {
  if (name === '-' && format === undefined) command.error('error: Standard input requires --format.')
  const source = await sourceOf(context, name)
  const safe = await (await context.target()).findSafe(idOrName)
  const progress = new Progress(context.stderr)
  const done = await safe
    .import({
      source,
      ...(format === undefined ? {} : { format }),
      ...(nameColumn === undefined ? {} : { nameColumn }),
      skipBad,
      commit: !dryRun,
      onSent: (bytes, bytesTotal) => progress.sent(bytes, bytesTotal),
      onProgress: soFar => progress.show(soFar),
    })
    .finally(() => progress.end())
  printBadLines(context, done)
  printRemarks(context, done)
  const leftOut = leftOutTexts(done.leftOut)
  if (leftOut.length > 0) printMessage(context, `Left out: ${leftOut.join(', ')}.`)
  // A duplicate is not an error, so that a script can import a file repeatedly: the content is already there.
  if (done.sameAs !== undefined) printMessage(context, done.problem ?? '')
  else if (done.status === 'failed') {
    const rest = done.badLineCount > 0 && !skipBad ? ' To add the rest: --skip-bad' : ''
    throw new CommandError(`Nothing was imported. ${done.problem}${rest}`)
  }
  if (dryRun) {
    await safe.undoImport(done.id)
    await safe.idle()
  }
  if (done.mergedNames && done.status !== 'failed') printMergedNames(context, done.mergedNames)
  if (dryRun) for (const table of done.tables ?? []) printTable(context, table)
  if (dryRun) printDryRun(context, done)
  else if (done.status === 'committed')
    printMessage(
      context,
      `Imported ${sizeOf({ ...done.counts, documents: done.documents })} into “${safe.name}”.`,
    )
  if (json) print(context, JSON.stringify(done, null, 2))
  else if (!dryRun) print(context, String(done.sameAs ?? done.id))
}

function printDryRun(context: CommandContext, { counts, documents, comparison }: Import): void {
  for (const { title, text, examples } of comparison ? comparisonTexts(comparison, ', ') : [])
    printExamples(context, `${title}: ${text}`, examples)
  const size = comparison
    ? { ...comparison.added, documents: comparison.documents?.added }
    : { ...counts, documents }
  printMessage(context, `It would add ${sizeOf(size)}. Nothing was changed.`)
}

function printTable(context: CommandContext, table: TableSummary): void {
  const { title, other } = tableTexts(table)
  printExamples(context, title, table.rows)
  if (other !== null)
    printMessage(context, `  ${other} Use: --name-column ${JSON.stringify(table.unclear[0])}`)
}

function printMergedNames(context: CommandContext, merged: MergedNames): void {
  const { text, examples, advice } = mergedNamesTexts(merged)
  printExamples(context, text, examples)
  printMessage(context, advice)
}

function printExamples(context: CommandContext, title: string, examples: readonly string[]): void {
  printMessage(context, title)
  for (const example of examples) printMessage(context, `  ${example}`)
}

/** “2 documents, 3 things, 1 relation, 0 passages”. */
export const sizeOf = (counts: Parameters<typeof sizeTexts>[0]) => sizeTexts(counts).join(', ')

async function sourceOf({ stdin }: CommandContext, file: string): Promise<ImportFrom> {
  if (file === '-') return { kind: 'stream', name: 'standard input', bytes: stdin }
  const found = await stat(file).catch(() => null)
  const name = basename(resolve(file))
  if (found?.isDirectory()) return { kind: 'folder', name, files: await filesOf(file) }
  if (!found?.isFile()) throw new CommandError(`There is no file ${file}.`)
  return { kind: 'file', name, path: file, size: found.size }
}

function printBadLines(context: CommandContext, { badLines, badLineCount }: Import) {
  printLines(context, badLines)
  const more = badLineCount - badLines.length
  if (more > 0) printMessage(context, `and ${more} more bad lines`)
}

function printRemarks(context: CommandContext, { remarks }: Import) {
  if (!remarks) return
  printLines(context, remarks.first)
  const more = remarks.count - remarks.first.length
  if (more > 0) printMessage(context, `and ${more} more files with such lines`)
}

/** Prints the messages about lines of files. */
export function printLines(context: CommandContext, lines: readonly BadLine[]): void {
  for (const line of lines) printMessage(context, lineText(line))
}
