import { answerText } from '../graph/answer.js'
import { type Mode, modes } from '../graph/ranking.js'
import type { Question } from '../plugins/safes/safe.js'
import { type Arguments, type Command, print, UsageError } from './command.js'
import { findSafe } from './find.js'

export const askCommands: Command[] = [
  {
    name: 'ask',
    usage:
      'SAFE [QUESTION] [--mode M] [--from NAME --to NAME] [--type TYPE] [--since DATE] [--until DATE] [--other-words WORDS] [--limit N] [--json]',
    summary:
      'Asks a Safe, as an assistant would, and prints the answer; without a question, what is in it. WORDS are other words the notes may use, with commas between them.',
    options: {
      mode: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      type: { type: 'string' },
      since: { type: 'string' },
      until: { type: 'string' },
      'other-words': { type: 'string', multiple: true },
      limit: { type: 'string' },
      json: { type: 'boolean' },
    },
    async run(context, args) {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, args.SAFE)
      const form = args.options.json ? 'json' : 'text'
      const answer = await app.safes.ask(ownerId, safe.id, { ...questionOf(args), form })
      print(context, args.options.json ? JSON.stringify(answer, null, 2) : answerText(answer))
    },
  },
]

function questionOf({ QUESTION: query, options }: Arguments): Question {
  const { mode, from, to, type, since, until, limit } = options
  const question: Question = {}
  if (query !== undefined) question.query = query
  if (typeof mode === 'string') question.mode = modeOf(mode)
  if (typeof from === 'string') question.from = from
  if (typeof to === 'string') question.to = to
  if (typeof type === 'string') question.types = [type]
  if (typeof since === 'string') question.since = since
  if (typeof until === 'string') question.until = until
  if (Array.isArray(options['other-words'])) question.otherWords = options['other-words']
  if (typeof limit === 'string') question.limit = Number(limit)
  return question
}

function modeOf(name: string): Mode {
  const mode = modes.find(mode => mode === name)
  if (!mode) throw new UsageError(`A mode is one of ${modes.join(', ')}.`)
  return mode
}
