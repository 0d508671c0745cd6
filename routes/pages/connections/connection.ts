import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { allowedSafes, type ListedConnection, safeIdOf } from '../../../domain/oauth/connections/access.js'
import type { ConnectionChoice } from '../../../domain/oauth/connections/choice.js'
import { formPage } from '../form-page.js'
import { IdField, type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { withReads } from './connection-reads.js'
import { connectionView, memberView } from './connection-view.js'
import { chosenIn, offerSafes, positionIn, tooManyChosen } from './safe-choice.js'

interface ConnectionContent {
  /** The choice of the form. */
  choice?: ConnectionChoice
  saved?: boolean
  error?: string
}

const Several = Type.Optional(Type.Union([TextField(), Type.Array(TextField())]))
const OfConnection = { params: Type.Object({ connectionId: IdField() }) }
const Show = { ...OfConnection, querystring: Type.Object({ saved: Type.Optional(Type.Literal('yes')) }) }
const Narrow = {
  ...OfConnection,
  body: Type.Object({
    safe: Several,
    only: Several,
    scope: Several,
    search: Type.Optional(TextField()),
    after: Type.Optional(TextField()),
    list: Type.Optional(TextField()),
  }),
}

type ConnectionRequest = RequestOf<typeof OfConnection>
type NarrowRequest = RequestOf<typeof Narrow>

/** One connection: the Safes it may read, and a form to narrow its access. */
export default async function connectionPage(app: TypedApp) {
  app.get('/connections/:connectionId', { schema: Show }, async (request, reply) =>
    showConnection(request, await connectionOf(request), reply, { saved: request.query.saved === 'yes' }),
  )
  app.post(
    '/connections/:connectionId',
    { schema: Narrow },
    formPage({
      load: connectionOf,
      change: narrow,
      show: showConnection,
      entered: request => ({ choice: choiceOf(request) }),
    }),
  )
}

/** @throws notFound */
function connectionOf(request: ConnectionRequest): Promise<ListedConnection> {
  return request.server.oauth.connections.findFor(accountOf(request).id, request.params.connectionId)
}

const choiceOf = ({ body }: NarrowRequest): ConnectionChoice => ({
  ...chosenIn(body),
  scope: [body.scope ?? []].flat(),
})

/** The form also turns the pages of the list of Safes, which changes nothing. */
async function narrow(request: NarrowRequest, listed: ListedConnection): Promise<string | ConnectionContent> {
  const { config } = request.server
  const { scope, resource } = listed
  // The power to propose has its own form, which also removes its scope.
  const keeps = config.hasProposals && resource !== 'api' ? { scope } : {}
  const choice = { ...choiceOf(request), ...keeps }
  const error = tooManyChosen(choice)
  if (request.body.list !== undefined) return { choice, ...(error ? { error } : {}) }
  await request.server.oauth.connections.narrow(accountOf(request).id, listed.id, choice)
  return `/connections/${listed.id}?saved=yes`
}

async function showConnection(
  request: ConnectionRequest,
  listed: ListedConnection,
  reply: FastifyReply,
  { choice: submitted, saved = false, error }: ConnectionContent,
) {
  const { safes, oauth, activity, config } = request.server
  const { id } = accountOf(request)
  const { scope, chosenSafeIds, onlyChosenSafe } = listed
  const choice = submitted ?? { safeIds: chosenSafeIds, only: onlyChosenSafe, scope }
  const allowed = allowedSafes(listed)
  const isOpenToAll = !listed.ended && allowed === null
  const position = positionIn((request.body ?? {}) as Record<string, unknown>)
  const left = listed.ended || safeIdOf(listed.resource) !== null ? [] : (allowed ?? [])
  const calls = await oauth.connections.callsByDay([listed.id])
  const others = await oauth.connections.othersOf(listed)
  const [shown = { ...listed, reads: '' }, ...members] = await withReads(request.server, id, [
    listed,
    ...others,
  ])
  const view = connectionView(shown, choice.scope, config, {
    calls: calls.get(listed.id) ?? [],
    keepsActivity: activity.days > 0,
  })
  return reply.page('connection', {
    ...view,
    safeChoice: isOpenToAll ? await offerSafes(safes, id, choice, position) : null,
    limitedTo: left.length > 1 ? await safes.readableAmong(id, left) : [],
    members: members.map(memberView),
    saved,
    error,
  })
}
