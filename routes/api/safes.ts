import { type Static, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { allowedSafes } from '../../domain/oauth/connections/access.js'
import { answerText } from '../../domain/safes/ask/answer.js'
import type { Question, ReadableSafe } from '../../domain/safes/safe.js'
import { findReadable, readableSafes } from '../../mcp/active-safe.js'
import { stringEnum } from '../../mcp/string-enum.js'
import { toolNames } from '../../mcp/tools/names.js'
import { questionOf } from '../../mcp/tools/query-safe.js'
import { inputSchema, Output, Where } from '../../mcp/tools/query-schema.js'
import { questionEntry } from '../../mcp/tools/question-entry.js'
import {
  documentAnswer,
  documentEntry,
  documentText,
  isReading,
  readRequest,
} from '../../mcp/tools/read-document.js'
import { DomainError } from '../../platform/common/domain-error.js'
import type { RequestOf, TypedApp } from '../pages/params.js'
import { accessOf } from './access.js'
import { described } from './described.js'
import { SafeParams, Time } from './schemas.js'

const PAGE = 100

const Safe = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: stringEnum(['owner', 'reader']),
  version: Type.Integer({ description: 'Increased by each change of the content.' }),
  created_at: Time,
  entities: Type.Integer(),
  relations: Type.Integer(),
  passages: Type.Integer(),
  documents: Type.Integer(),
})

const ListQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 64, description: '`next_cursor` of the previous page.' })),
})

/** A page of Safes as the API shows it. */
const SafesPage = Type.Object({
  safes: Type.Array(Safe),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
})

export type SafesPage = Static<typeof SafesPage>

const List = { querystring: ListQuery }

type SafeRequest = FastifyRequest<{ Params: { safe: string } }>

const Answer = Type.Object({
  ...Output.properties,
  text: Type.String({ description: 'The same as text, for people and language models.' }),
})

/** Lists Safes and asks them. */
export default async function safeRoutes(app: TypedApp) {
  const { safe: _, ...properties } = inputSchema(toolNames(app.config.brand)).properties
  const Asked = Type.Object(
    {
      ...properties,
      where: Where,
      form: Type.Optional(
        stringEnum(['json', 'text'], {
          description: 'The form of the answer that must fit into max_tokens. Default: both.',
        }),
      ),
    },
    { additionalProperties: false },
  )

  app.get('/safes', described(List, 'List the Safes that the token may read', { 200: SafesPage }), list)
  app.post(
    '/safes/:safe/ask',
    {
      schema: { summary: 'Ask a Safe', params: SafeParams, body: Asked },
      config: { answers: { 200: Answer } },
    },
    async request => {
      const { form, ...fields } = request.body
      if (isReading(fields)) return read(request, fields)
      return ask(request, { ...questionOf(fields), ...(form === undefined ? {} : { form }) })
    },
  )
}

async function list(request: RequestOf<typeof List>): Promise<SafesPage> {
  const { safes } = request.server
  const { cursor } = request.query
  const access = accessOf(request)
  const reader = { access, allowedSafeIds: allowedSafes(access) }
  if (cursor !== undefined && !(await findReadable(reader, safes, cursor)))
    throw new DomainError(400, 'invalid_request', 'The cursor is not valid. Begin without one.')
  const page = { limit: PAGE + 1, ...(cursor === undefined ? {} : { after: cursor }) }
  const found = await readableSafes(reader, safes, page)
  const shown = found.slice(0, PAGE).map(safeOf)
  return { safes: shown, next_cursor: found.length > PAGE ? (shown.at(-1)?.id ?? null) : null }
}

/** Shows a part of a document. */
async function read(request: SafeRequest, fields: Parameters<typeof readRequest>[0]) {
  const { safes, activity } = request.server
  const access = accessOf(request)
  const asked = readRequest(fields)
  const page = await safes.reading.page(access.accountId, request.params.safe, asked)
  activity.record(documentEntry(access, asked, page))
  return { ...documentAnswer(page), text: documentText(page) }
}

async function ask(request: SafeRequest, question: Question) {
  const { safes, activity, rateLimiter } = request.server
  const access = accessOf(request)
  let workMs = 0
  try {
    const answer = await safes.questions.ask(access.accountId, request.params.safe, question, ms => {
      workMs += ms
    })
    activity.record(questionEntry(access, question, answer))
    return { ...answer, text: answerText(answer) }
  } finally {
    // A long question counts as several requests, as for MCP (ADR 19).
    rateLimiter.chargeTime(access.connectionId, workMs)
  }
}

function safeOf({ id, name, role, version, createdAt, counts }: ReadableSafe) {
  return { id, name, role, version, created_at: new Date(createdAt).toISOString(), ...counts }
}
