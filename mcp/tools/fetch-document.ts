import { type Static, Type } from '@sinclair/typebox'
import { answerText } from '../../domain/safes/ask/answer.js'
import { documentAddress } from '../../domain/safes/documents/document-address.js'
import { shownDocument } from '../../domain/safes/documents/shown-document.js'
import { normalizeName } from '../../engine/graph/index.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { isAllowedSafe } from '../active-safe.js'
import type { Domain, RequestContext } from '../context.js'
import { defineTool, READ_ONLY, ToolError } from '../tool.js'
import { askIfReadable, readIfReadable } from './query-safe.js'
import { questionEntry } from './question-entry.js'
import { documentEntry } from './read-document.js'
import { readSourceId, type SourceId, sourceId } from './source-id.js'

/** Maximum tokens of a text. The result contains it once as JSON and once as text, each within the limit of a result. */
const MAX_TOKENS = 18_000

const Fetched = Type.Object({
  id: Type.String(),
  title: Type.String(),
  text: Type.String(),
  url: Type.String(),
  metadata: Type.Record(Type.String(), Type.String()),
})

type Fetched = Static<typeof Fetched>

/** `fetch` as ChatGPT requires it (RULES R5). */
export const fetchDocument = (baseUrl: string) =>
  defineTool({
    name: 'fetch',
    title: 'Fetch a document',
    description:
      'Returns the text of a result of search by its id. If metadata has "next", the text continues: fetch that id.',
    annotations: READ_ONLY,
    input: Type.Object(
      {
        id: Type.String({
          minLength: 1,
          maxLength: 2500,
          description: 'The id of a result of search.',
          examples: ['3XkQ0aV7bTn5mWcR9sYdLe/projects/Harbour.md'],
        }),
      },
      { additionalProperties: false },
    ),
    output: Fetched,
    async run({ id }, context, domain) {
      const source = readSourceId(id)
      if (!source || !isAllowedSafe(context, source.safeId)) throw unknown()
      const output = await open(source, context, domain, baseUrl)
      return { output: { ...output, id }, text: JSON.stringify({ ...output, id }) }
    },
  })

async function open(
  source: SourceId,
  context: RequestContext,
  { safes, activity }: Domain,
  baseUrl: string,
): Promise<Fetched> {
  const { safeId } = source
  const safePath = `${baseUrl}/safes/${safeId}`
  const id = sourceId(source)
  if ('document' in source) {
    const { document, cursor } = source
    const request = { document, cursor, maxTokens: MAX_TOKENS }
    const page = await readIfReadable(safes, context, safeId, request)
    if (!page) throw unknown()
    activity.record(documentEntry(context.access, request, page))
    const { path, title, date, tags = [], text } = shownDocument(page)
    const next =
      page.nextCursor === null ? {} : { next: sourceId({ safeId, document: path, cursor: page.nextCursor }) }
    const about = { ...(date !== undefined && { date }), ...(tags.length > 0 && { tags: tags.join(', ') }) }
    return {
      ...{ id, title, text, url: documentAddress(safePath, path) },
      metadata: { safe: page.safe.name, path, ...about, ...next },
    }
  }
  const name = 'thing' in source ? source.thing : await thingOf(source.passage, safeId, context, safes)
  const question = {
    entities: [name],
    mode: 'entity' as const,
    limit: 50,
    maxTokens: MAX_TOKENS,
    form: 'text' as const,
  }
  const answer = await askIfReadable(safes, context, safeId, question)
  if (!answer || answer.total === 0) throw unknown()
  activity.record(questionEntry(context.access, question, answer))
  return {
    ...{ id, title: name, text: answerText(answer) },
    url: `${safePath}/things/${encodeURIComponent(normalizeName(name))}`,
    metadata: { safe: answer.safe.name },
  }
}

/** The subject of a passage without a document. */
async function thingOf(
  passageId: string,
  safeId: string,
  { access }: RequestContext,
  { documents }: Domain['safes'],
): Promise<string> {
  try {
    return (await documents.placeOf(access.accountId, safeId, passageId)).entityKey
  } catch (error) {
    if (error instanceof DomainError && error.status === 404) throw unknown()
    throw error
  }
}

/** The same message for a missing and an unreadable document. */
const unknown = () =>
  new ToolError('There is nothing with this id that this connection can read. Search again.')
