import { Type } from '@sinclair/typebox'
import pLimit from 'p-limit'
import type { Answer } from '../../domain/safes/ask/answer.js'
import { normalizeName } from '../../engine/graph/index.js'
import { readableSafes } from '../active-safe.js'
import { defineTool, READ_ONLY } from '../tool.js'
import { askIfReadable } from './query-safe.js'
import { questionEntry } from './question-entry.js'
import { sourceId } from './source-id.js'

/** Maximum Safes searched, in all and at once, and maximum results. */
const MAX_SAFES = 50
const AT_ONCE = 4
const MAX_RESULTS = 20
/** Maximum things of a Safe returned for facts without any text. */
const MAX_THINGS = 3

interface SearchedDocument {
  id: string
  title: string
  url: string
}

/** `search` as ChatGPT requires it (developers.openai.com/apps-sdk, "MCP server for data"; RULES R5). */
export const searchSafes = (baseUrl: string) =>
  defineTool({
    name: 'search',
    title: 'Search all Safes',
    description:
      'Finds documents and things in all Safes of this connection for a question in plain words. Fetch the best of them by their ids.',
    annotations: READ_ONLY,
    input: Type.Object(
      {
        query: Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'A question or a few words.',
          examples: ['When is the boat repaired?'],
        }),
      },
      { additionalProperties: false },
    ),
    synonyms: { q: 'query' },
    sendsEmpty: true,
    output: Type.Object({
      results: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), url: Type.String() })),
    }),
    async run({ query }, context, { safes, activity }) {
      const question = { query, limit: MAX_RESULTS, maxTokens: 20_000, form: 'json' as const }
      const some = await readableSafes(context, safes, { limit: MAX_SAFES, patienceMs: 0 })
      const inTurn = pLimit(AT_ONCE)
      const answers = await Promise.all(
        some.map(({ id }) => inTurn(() => askIfReadable(safes, context, id, question))),
      )
      const lists = answers.map(answer => (answer ? resultsOf(answer, baseUrl) : []))
      const results = byTurns(lists).slice(0, MAX_RESULTS)
      const shown = new Set(results.map(({ id }) => id))
      for (const [at, answer] of answers.entries())
        if (answer && lists[at]?.some(({ id }) => shown.has(id)))
          activity.record(questionEntry(context.access, question, answer))
      return { output: { results }, text: JSON.stringify({ results }) }
    },
  })

/** Each document once, best first; things if there is no text. */
function resultsOf({ safe, passages, entities, facts }: Answer, baseUrl: string): SearchedDocument[] {
  const safePath = `${baseUrl}/safes/${safe.id}`
  const found = passages.map(({ id, title, document, url = '' }): SearchedDocument => {
    const source = document === undefined ? { passage: id } : { document }
    return { id: sourceId({ safeId: safe.id, ...source }), title: `${title} – ${safe.name}`, url }
  })
  const things = (facts.length > 0 && passages.length === 0 ? entities : []).slice(0, MAX_THINGS)
  const named = things.map(
    (name): SearchedDocument => ({
      id: sourceId({ safeId: safe.id, thing: name }),
      title: `${name} – ${safe.name}`,
      url: `${safePath}/things/${encodeURIComponent(normalizeName(name))}`,
    }),
  )
  const first = new Map<string, SearchedDocument>()
  for (const result of [...found, ...named]) if (!first.has(result.id)) first.set(result.id, result)
  return [...first.values()]
}

/** Scores of different Safes cannot be compared, so the best of each come first. */
function byTurns(lists: readonly SearchedDocument[][]): SearchedDocument[] {
  const longest = Math.max(0, ...lists.map(list => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap(list => list[turn] ?? [])).flat()
}
