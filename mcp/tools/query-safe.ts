import { Type } from '@sinclair/typebox'
import type { Answer } from '../../graph/answer.js'
import type { Question, Safes } from '../../plugins/safes/safe.js'
import { type ActiveSafe, activeSafe, findReadable } from '../active-safe.js'
import type { Context } from '../context.js'
import { defineTool, ToolError } from '../tool.js'
import type { ToolNames } from './names.js'

const DEFAULT_TOKENS = 2000

const Text = Type.String()
const Score = Type.Number({ description: 'Orders the results of this answer only.' })

/** `graph/answer.ts`, as a schema. */
const Output = Type.Object({
  safe: Type.Object({ id: Text, name: Text }),
  mode: Type.Union(['search', 'entity', 'path', 'walk', 'overview'].map(mode => Type.Literal(mode))),
  linked: Type.Array(Type.Object({ text: Text, entity: Text }), {
    description: 'Words of the question that were recognised, and the entities they mean.',
  }),
  facts: Type.Array(
    Type.Object({
      id: Text,
      subject: Text,
      predicate: Text,
      object: Text,
      sources: Type.Array(Text, { description: 'Names of the imports that say so.' }),
      score: Score,
    }),
  ),
  passages: Type.Array(Type.Object({ id: Text, title: Text, text: Text, source: Text, score: Score })),
  entities: Type.Array(Text, { description: 'What the answer is about, best first.' }),
  total: Type.Integer({ description: 'Facts and passages found, before limit and max_tokens.' }),
  truncated: Type.Boolean(),
  next_cursor: Type.Union([Text, Type.Null()]),
  hints: Type.Array(Text, { description: 'How to ask on.' }),
})

const inputOf = (names: ToolNames) =>
  Type.Object(
    {
      query: Type.String({
        minLength: 1,
        maxLength: 2048,
        description:
          'A question or a few words in natural language. Names of people, places and things work best, spelled as the user spells them.',
        examples: ['Who works with Ada on the harbour project?', 'harbour project'],
      }),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 50,
          default: 10,
          description: 'How many facts and passages to return, together.',
          examples: [10],
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description:
            'next_cursor of an earlier answer to the same query, to get what follows. Leave out at first.',
        }),
      ),
      max_tokens: Type.Optional(
        Type.Integer({
          minimum: 100,
          maximum: 20_000,
          default: DEFAULT_TOKENS,
          description: 'Room for the answer in your context, in tokens.',
          examples: [2000],
        }),
      ),
      safe: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: `Id of a Safe from ${names.list}, to ask that one this time only. Leave out to ask the active Safe.`,
          examples: ['3XkQ0aV7bTn5mWcR9sYdLe'],
        }),
      ),
    },
    { additionalProperties: false },
  )

export const querySafe = (names: ToolNames) =>
  defineTool({
    name: names.query,
    title: 'Ask a Safe',
    description: [
      'Answers a question from the knowledge graph of the active Safe: facts (subject, predicate, object) and passages of text, each with its source, ranked.',
      'Call it whenever the user asks about something they may have stored: people, projects, places, decisions, notes. It reads only.',
      'Ask in plain words and keep names as the user writes them. One question per call; follow a name in the answer with another call.',
      'An empty answer says which Safe was searched and which names come near. To see more, pass next_cursor as cursor.',
      `If no Safe is active, call ${names.list} and ${names.select} first.`,
    ].join(' '),
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: inputOf(names),
    synonyms: { q: 'query' },
    output: Output,
    async run(input, context, { safes }) {
      const safe = await safeToAsk(input.safe, context, safes, names)
      const question: Question = { query: input.query, maxTokens: input.max_tokens ?? DEFAULT_TOKENS }
      if (input.limit !== undefined) question.limit = input.limit
      if (input.cursor !== undefined) question.cursor = input.cursor
      const output = await safes.ask(context.access.accountId, safe.id, question)
      return { output, text: textOf(output) }
    },
  })

/** @throws ToolError when the Safe named may not be read, or none is named and none is active */
async function safeToAsk(
  named: string | undefined,
  context: Context,
  safes: Safes,
  names: ToolNames,
): Promise<ActiveSafe> {
  const safe = named ? await findReadable(context, safes, named) : await activeSafe(context, safes)
  if (safe) return safe
  if (context.onlySafeId !== null) {
    throw new ToolError(
      named
        ? 'This connection can read one Safe only. Leave out "safe" to ask it.'
        : 'The Safe of this connection is gone, or is no longer shared with this account. The user has to connect again.',
    )
  }
  throw new ToolError(
    named
      ? `There is no Safe with this id that the account can read. Call ${names.list} for the ids, or leave out "safe".`
      : `No Safe is selected. Call ${names.list}, then ${names.select} with the id of the one to ask, then ask again.`,
  )
}

/** The text form of an answer. */
function textOf(answer: Answer): string {
  return JSON.stringify(answer)
}
