import { type Command, InvalidArgumentError, Option } from 'commander'
import { answerText } from '../domain/safes/ask/answer.js'
import type { ShownDocument } from '../domain/safes/documents/shown-document.js'
import type { Question } from '../domain/safes/safe.js'
import { MODES, type Mode } from '../engine/graph/index.js'
import { printable } from '../platform/common/visible-text.js'
import { type CommandContext, type Printed, print } from './command.js'
import { PLACE, type PlaceOptions } from './place.js'

/** Options of `svc ask`. */
interface AskOptions extends Printed, PlaceOptions {
  mode?: Mode
  from?: string
  to?: string
  type?: string
  since?: string
  until?: string
  asOf?: string
  otherWords?: string[]
  limit?: number
  in?: string[]
  where?: Record<string, string[]>
  recent?: boolean
  document?: string
  heading?: string
}

/** Adds `svc ask`. */
export function askCommands(program: Command, context: CommandContext): void {
  program
    .command('ask')
    .description(
      'Asks a Safe as an assistant would and prints the answer; without a question, prints an overview.',
    )
    .argument('<safe>', 'Its id or name.')
    .argument('[question]', 'In plain words.')
    .addOption(new Option('--mode <mode>', 'How to search.').choices(MODES))
    .option('--from <name>', 'The entity where a path or walk begins.')
    .option('--to <name>', 'The entity where a path ends.')
    .option('--type <type>', 'Only entities of this type.')
    .option('--since <date>', 'Only passages and facts from this day on, e.g. 2026-05-01.')
    .option('--until <date>', 'Only passages and facts up to this day.')
    .option('--as-of <date>', 'Facts that were true at this time, e.g. 2021 or 2021-05-01.')
    .option(
      '--other-words <words>',
      'Other words the notes may use, separated by commas.',
      (words: string, others: string[] = []) => [...others, words],
    )
    .option(
      '--in <place>',
      'Only a folder (notes/), a tag (tag:work) or a document. May be repeated.',
      (place: string, others: string[] = []) => [...others, place],
    )
    .option(
      '--where <property>',
      'Only notes with this property, e.g. status=draft. May be repeated; several values of one mean any of them.',
      withProperty,
    )
    .option('--recent', 'List documents by their last change, the latest first.')
    .option('--document <name>', 'Print a document instead, by its path or title.')
    .option('--heading <words>', 'With --document: where to begin.')
    .option('--limit <number>', 'Maximum number of results.', text => Number(text))
    .option('--json', 'Print JSON.')
    .option(...PLACE.server)
    .option(...PLACE.local)
    .action(async (idOrName: string, query: string | undefined, options: AskOptions) => {
      const safe = await (await context.target()).findSafe(idOrName)
      const { document, heading } = options
      if (document !== undefined) {
        const pages = safe.read({ document, ...(heading !== undefined && { heading }) })
        return printDocument(context, pages, options.json === true)
      }
      const form = options.json ? 'json' : 'text'
      const answer = await safe.ask({ ...questionOf(query, options), form })
      print(context, options.json ? JSON.stringify(answer, null, 2) : printable(answerText(answer)))
    })
}

/** Adds "status=draft" to the properties given before. */
function withProperty(text: string, others: Record<string, string[]> = {}): Record<string, string[]> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Give a name and a value, for example status=draft.')
  const key = text.slice(0, at).trim()
  const before = Object.hasOwn(others, key) ? others[key] : []
  return { ...others, [key]: [...(before ?? []), text.slice(at + 1)] }
}

/** The whole text as it is, or with its metadata. */
async function printDocument(context: CommandContext, pages: AsyncIterable<ShownDocument>, isJson: boolean) {
  const parts: ShownDocument[] = []
  for await (const page of pages) parts.push(page)
  const [first] = parts
  if (!first) return
  const { outline: _, ...document } = { ...first, text: parts.map(({ text }) => text).join('') }
  print(context, isJson ? JSON.stringify(document, null, 2) : printable(document.text))
}

function questionOf(
  query: string | undefined,
  { type, json: _, server: _s, local: _l, document: _d, heading: _h, ...options }: AskOptions,
): Question {
  return {
    ...(query === undefined ? {} : { query }),
    ...(type === undefined ? {} : { types: [type] }),
    ...options,
  }
}
