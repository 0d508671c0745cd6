import { answerText } from '../graph/answer.js'
import { type Command, print } from './command.js'
import { findSafe } from './find.js'

export const askCommands: Command[] = [
  {
    name: 'ask',
    usage: 'SAFE QUESTION [--limit N] [--json]',
    summary: 'Asks a Safe, as an assistant would, and prints the answer.',
    options: { limit: { type: 'string' }, json: { type: 'boolean' } },
    async run(context, args) {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, args.SAFE)
      const { limit } = args.options
      const question = {
        query: args.QUESTION,
        ...(typeof limit === 'string' ? { limit: Number(limit) } : {}),
      }
      const answer = await app.safes.ask(ownerId, safe.id, question)
      print(context, args.options.json ? JSON.stringify(answer, null, 2) : answerText(answer))
    },
  },
]
