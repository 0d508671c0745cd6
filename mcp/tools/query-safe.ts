import { Type } from '@sinclair/typebox'
import { type Answer, answerText } from '../../graph/answer.js'
import { DomainError } from '../../plugins/domain-error.js'
import type { Question, Safes } from '../../plugins/safes/safe.js'
import { mayName, tryActive } from '../active-safe.js'
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
          examples: ['WzMsInBQNU9jR2tuQWtGYlRmVWciLDEwXQ'],
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
    async run({ safe: named, query, limit, cursor, max_tokens }, context, { safes }) {
      const question: Question = { query, maxTokens: max_tokens ?? DEFAULT_TOKENS }
      if (limit !== undefined) question.limit = limit
      if (cursor !== undefined) question.cursor = cursor
      const attempt = (id: string) => askIfReadable(safes, context, id, question)
      const answer =
        named === undefined
          ? await tryActive(context, safes, attempt)
          : mayName(context, named) && (await attempt(named))
      if (!answer) throw new ToolError(whyNone(named, context, names))
      return { output: answer, text: textOf(answer, names) }
    },
  })

/** `ask` checks the membership itself, so nothing here looks it up a second time. Null: not readable (any more). */
async function askIfReadable(
  safes: Safes,
  { access }: Context,
  safeId: string,
  question: Question,
): Promise<Answer | null> {
  try {
    return await safes.ask(access.accountId, safeId, question)
  } catch (error) {
    if (error instanceof DomainError && error.status === 404) return null
    throw error
  }
}

function whyNone(named: string | undefined, { onlySafeId }: Context, names: ToolNames): string {
  if (onlySafeId !== null) {
    return named === undefined || named === onlySafeId
      ? 'The Safe of this connection is gone, or is no longer shared with this account. The user has to connect again.'
      : 'This connection can read one Safe only. Leave out "safe" to ask it.'
  }
  return named === undefined
    ? `No Safe is selected. Call ${names.list}, then ${names.select} with the id of the one to ask, then ask again.`
    : `There is no Safe with this id that the account can read. Call ${names.list} for the ids, or leave out "safe".`
}

/** The text form also says how to go on: before 2025-06-18 it is all an assistant gets. */
function textOf(answer: Answer, names: ToolNames): string {
  const text = answerText(answer)
  if (answer.next_cursor === null) return text
  return `${text}\nMore: call ${names.query} with the same query and cursor "${answer.next_cursor}".`
}
