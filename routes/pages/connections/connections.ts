import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../common/domain-error.js'
import { showNumber, showTime } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import {
  allowedSafes,
  type Connection,
  type ListedConnection,
  safeIdOf,
} from '../../../oauth/connections/access.js'
import { type Choice, offeredScopes } from '../../../oauth/connections/choice.js'
import type { Config } from '../../../plugins/config.js'
import type { Page } from '../../../plugins/views.js'
import { describeScope } from '../../describe-scope.js'
import { cut, PageQuery, pathWith } from '../list.js'
import { TextField } from '../params.js'
import { accountOf } from '../signed-in.js'
import { type CallsChart, callsChart } from './calls-chart.js'
import { chosenIn, offerSafes, positionIn, type SafeChoice, tooManyChosen } from './safe-choice.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    connections: ConnectionsPage
    connection: ConnectionPage
    'connections-end': EndAllPage
  }
}

/** The view model of `views/connection.eta`. */
interface ConnectionPage extends Page {
  connection: ConnectionHead
  /** Why it has ended, or null. */
  ended: string | null
  action: string
  /** Scopes that it can lose. */
  scopes: { name: string; text: string; granted: boolean }[]
  /** For a connection to all Safes. */
  safeChoice: SafeChoice | null
  allSafes: string
  onlyHint: string
  /** For a connection to several Safes. */
  limitedTo: { id: string; name: string }[]
  saved: boolean
}

interface EndAllPage extends Page {
  title: string
}

interface ConnectionsPage extends Page {
  lead: string
  /** The list has more than one page, so the search is shown. */
  searchable: boolean
  search: string
  /** Only ended connections are listed. */
  ended: boolean
  /** The sentence for an empty list, with an optional link. */
  empty: string | null
  howTo: string | null
  openConnections: OpenRow[]
  endedConnections: EndedRow[]
  more: string | null
  first: string | null
  /** Link back to the whole list. */
  back: { href: string; label: string } | null
  /** Whether there are several open connections to end. */
  revokeAll: boolean
  moreEnded: boolean
}

interface OpenRow extends ConnectionHead {
  /** Its own page. */
  href: string
}

/** A connection as its list and its own page show it. */
interface ConnectionHead {
  clientName: string
  clientVerified: boolean
  facts: { name: string; value: string }[]
  chart: (CallsChart & { id: string }) | null
  activity: { href: string; label: string }
  /** The form that decides whether its questions are kept. `keep` is the value it sends. */
  questions: { action: string; keep: 'yes' | 'no'; label: string }
  /** The action of its button. */
  revoke: string
}

interface EndedRow {
  clientName: string
  redirectHost: string
  why: string
}

/** Connections per page, and ended connections shown below the open ones. */
const PAGE = 50
const ENDED_SHOWN = 10

/** Safes of a connection that are named in the list. */
const SAFES_NAMED = 3
/** The number of connections that are counted. */
const MAX_COUNTED = 1000

const LowerForm = Type.Object({
  safe: Type.Optional(Type.Union([TextField(), Type.Array(TextField())])),
  only: Type.Optional(Type.Union([TextField(), Type.Array(TextField())])),
  scope: Type.Optional(Type.Union([TextField(), Type.Array(TextField())])),
  search: Type.Optional(TextField()),
  after: Type.Optional(TextField()),
  list: Type.Optional(TextField()),
})
const SavedQuery = Type.Object({ saved: Type.Optional(Type.Literal('yes')) })
const ConnectionParams = Type.Object({ connectionId: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' }) })
const QuestionsForm = Type.Object({ keep: Type.Union([Type.Literal('yes'), Type.Literal('no')]) })
const ListQuery = Type.Intersect([
  PageQuery,
  Type.Object({ q: Type.Optional(TextField(100)), ended: Type.Optional(Type.Literal('1')) }),
])

/** The assistants that can read this account's Safes, with buttons to end their connections. */
export default async function connectionPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/connections', { schema: { querystring: ListQuery } }, async (request, reply) => {
    const { id } = accountOf(request)
    const { after, q = '', ended } = request.query
    const search = q.trim()
    const page = {
      kind: ended ? ('ended' as const) : ('open' as const),
      limit: PAGE + 1,
      search,
      ...(after ? { after } : {}),
    }
    const list = cut(await app.oauth.connections.listFor(id, page), PAGE)
    // The first page also shows recently ended connections.
    const isFirst = !ended && !after && !search
    const others = isFirst
      ? await app.oauth.connections.listFor(id, { kind: 'ended', limit: ENDED_SHOWN + 1 })
      : []
    const last = list.items.at(-1)?.id
    const isFirstPage = !after
    const onlyEnded = ended !== undefined
    const connections = await withReads(id, [...list.items, ...others.slice(0, ENDED_SHOWN)])
    const openConnections = connections.filter(connection => !connection.ended)
    const endedConnections = connections.filter(connection => connection.ended)
    const calls = await app.oauth.connections.callsByDay(openConnections.map(({ id }) => id))
    const more = list.hasMore && last ? pathWith('/connections', { q: search, ended, after: last }) : null
    const empty = emptyText({
      search,
      onlyEnded,
      isFirst,
      count: connections.length,
      open: openConnections.length,
    })
    return reply.page('connections', {
      here: 'connections',
      lead: onlyEnded ? messages.connections.endedLead : messages.connections.lead,
      searchable: search !== '' || more !== null || !isFirstPage,
      search,
      ended: onlyEnded,
      empty,
      howTo: empty === messages.connections.none ? '/start#connect' : null,
      openConnections: openConnections.map(each =>
        openRow(each, calls.get(each.id) ?? [], app.activity.days > 0),
      ),
      endedConnections: endedConnections.map(endedRow),
      more,
      first: null,
      back: backTo({ search, onlyEnded, isFirstPage }),
      revokeAll: !onlyEnded && (openConnections.length > 1 || more !== null),
      moreEnded: others.length > ENDED_SHOWN,
    })
  })

  app.post(
    '/connections/:connectionId/revoke',
    { schema: { params: ConnectionParams } },
    async (request, reply) => {
      await app.oauth.connections.revoke(accountOf(request).id, request.params.connectionId)
      return reply.redirect('/connections', 303)
    },
  )

  app.post(
    '/connections/:connectionId/questions',
    { schema: { params: ConnectionParams, body: QuestionsForm } },
    async (request, reply) => {
      const { connectionId } = request.params
      const keep = request.body.keep === 'yes'
      await app.oauth.connections.keepQuestions(accountOf(request).id, connectionId, keep)
      return reply.redirect('/connections', 303)
    },
  )

  app.get('/connections/revoke-all', async (request, reply) => {
    const page = { kind: 'open' as const, limit: MAX_COUNTED + 1 }
    const open = (await app.oauth.connections.listFor(accountOf(request).id, page)).filter(
      each => !each.ended,
    )
    if (open.length === 0) return reply.redirect('/connections', 303)
    const { openCount, atLeast, revokeAllTitle } = messages.connections
    const count = open.length > MAX_COUNTED ? atLeast(openCount(MAX_COUNTED)) : openCount(open.length)
    return reply.page('connections-end', { here: 'connections', title: revokeAllTitle(count) })
  })

  app.post('/connections/revoke-all', async (request, reply) => {
    await app.oauth.connections.revokeAll(accountOf(request).id)
    return reply.redirect('/connections', 303)
  })

  app.get(
    '/connections/:connectionId',
    { schema: { params: ConnectionParams, querystring: SavedQuery } },
    async (request, reply) => {
      const saved = request.query.saved === 'yes'
      return showConnection(request, reply, request.params.connectionId, null, { saved })
    },
  )

  app.post(
    '/connections/:connectionId',
    { schema: { params: ConnectionParams, body: LowerForm } },
    async (request, reply) => {
      const { connectionId } = request.params
      const { body } = request
      const choice = { ...chosenIn(body), scope: [body.scope ?? []].flat() }
      const error = tooManyChosen(choice)
      if (body.list !== undefined)
        return showConnection(request, reply, connectionId, choice, error ? { error } : {})
      try {
        await app.oauth.connections.lower(accountOf(request).id, connectionId, choice)
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'bad_choice') throw error
        return showConnection(request, reply.code(error.status), connectionId, choice, {
          error: error.message,
        })
      }
      return reply.redirect(`/connections/${connectionId}?saved=yes`, 303)
    },
  )

  async function showConnection(
    request: FastifyRequest,
    reply: FastifyReply,
    connectionId: string,
    submitted: Choice | null,
    shown: { saved?: boolean; error?: string } = {},
  ) {
    const { id } = accountOf(request)
    const listed = await app.oauth.connections.findFor(id, connectionId)
    const connection = await withReads(id, [listed])
    const { scope, chosenSafeIds, onlyChosenSafe } = listed
    const choice = submitted ?? { safeIds: chosenSafeIds, only: onlyChosenSafe, scope }
    const allowed = allowedSafes(listed)
    const position = positionIn((request.body ?? {}) as Record<string, unknown>)
    const left = listed.ended || safeIdOf(listed.resource) !== null ? [] : (allowed ?? [])
    const limitedTo = left.length > 1 ? await app.safes.readableAmong(id, left) : []
    const isOpenToAll = !listed.ended && allowed === null
    const isApi = listed.resource === 'api'
    const calls = await app.oauth.connections.callsByDay([connectionId])
    return reply.page('connection', {
      here: 'connections',
      connection: connectionHead(
        connection[0] as ConnectionWithReads,
        calls.get(connectionId) ?? [],
        app.activity.days > 0,
      ),
      ended: listed.ended ? endedRow(connection[0] as ConnectionWithReads).why : null,
      action: `/connections/${connectionId}`,
      scopes: scope.length > 1 && !listed.ended ? withdrawable(listed, choice, app.config) : [],
      safeChoice: isOpenToAll ? await offerSafes(app.safes, id, choice, position) : null,
      allSafes: isApi ? messages.consent.apiAllSafes : messages.consent.allSafes,
      onlyHint: isApi ? messages.consent.apiOnlyHint : messages.connections.onlyHint,
      limitedTo,
      saved: shown.saved ?? false,
      error: shown.error,
    })
  }

  /** Adds a description of what each connection may read. */
  async function withReads(
    accountId: string,
    connections: ListedConnection[],
  ): Promise<ConnectionWithReads[]> {
    const ids = new Set(connections.flatMap(connection => namedSafes(connection)))
    const safes = await app.safes.readableAmong(accountId, [...ids])
    const names = new Map(safes.map(({ id, name }) => [id, name]))
    return connections.map(connection => ({ ...connection, reads: scopeText(connection, names) }))
  }
}

type ConnectionWithReads = ListedConnection & { reads: string }

const withdrawable = ({ scope, resource }: ListedConnection, choice: Choice, config: Config) =>
  offeredScopes(scope, choice.scope)
    .filter(({ required }) => !required)
    .map(({ name, granted }) => ({ name, granted, text: describeScope(name, resource, config) }))

function openRow(connection: ConnectionWithReads, calls: readonly number[], keepsActivity: boolean): OpenRow {
  return { ...connectionHead(connection, calls, keepsActivity), href: `/connections/${connection.id}` }
}

function connectionHead(
  connection: ConnectionWithReads,
  calls: readonly number[],
  keepsActivity: boolean,
): ConnectionHead {
  const m = messages.connections
  const { questionText, kept, notKept, keep, stopKeeping, of } = messages.activity
  const {
    id,
    clientName,
    clientVerified,
    redirectHost,
    reads,
    scope,
    createdAt,
    lastUsedAt,
    keepsQuestions,
  } = connection
  const facts = [
    { name: m.host, value: redirectHost },
    { name: m.reads, value: reads },
    { name: m.scopes, value: scope.join(' ') },
    { name: m.since, value: showTime(createdAt) },
    { name: m.lastUsed, value: lastUsedAt ? showTime(lastUsedAt) : m.never },
    { name: m.calls, value: showNumber(connection.calls) },
    { name: questionText, value: keepsActivity && keepsQuestions ? kept : notKept },
  ]
  const chart = callsChart(calls)
  return {
    clientName,
    clientVerified,
    facts: facts.filter(({ value }) => value !== ''),
    chart: chart && { ...chart, id: `calls-${id}` },
    activity: { href: pathWith('/activity', { connection: id }), label: of(clientName) },
    questions: {
      action: `/connections/${id}/questions`,
      keep: keepsQuestions ? 'no' : 'yes',
      label: keepsQuestions ? stopKeeping(clientName) : keep(clientName),
    },
    revoke: `/connections/${id}/revoke`,
  }
}

function endedRow({ clientName, redirectHost, revokedAt, revokedReason }: ConnectionWithReads): EndedRow {
  const why = [revokedAt ? showTime(revokedAt) : null, revokedReason].filter(Boolean).join(' · ')
  return { clientName, redirectHost, why }
}

function emptyText(list: {
  search: string
  onlyEnded: boolean
  isFirst: boolean
  count: number
  open: number
}) {
  if (list.search && list.count === 0) return messages.connections.notFound
  if (list.onlyEnded) return list.count === 0 ? messages.connections.noEnded : null
  return list.isFirst && list.open === 0 ? messages.connections.none : null
}

function backTo(list: { search: string; onlyEnded: boolean; isFirstPage: boolean }) {
  const { search, onlyEnded, isFirstPage } = list
  if (isFirstPage && !search && !onlyEnded) return null
  const href = onlyEnded && (search || !isFirstPage) ? '/connections?ended=1' : '/connections'
  if (search) return { href, label: messages.connections.all }
  return { href, label: isFirstPage ? messages.connections.open : messages.layout.first }
}

/** The Safes that the text about a connection names. */
const namedSafes = (connection: Connection) =>
  (allowedSafes(connection) ?? connection.chosenSafeIds).slice(0, SAFES_NAMED)

function scopeText(connection: Connection, names: Map<string, string>): string {
  const { allSafes, startsWith, only, missingSafe, andMore } = messages.connections
  const allowed = allowedSafes(connection)
  const named = namedSafes(connection)
  if (allowed === null) {
    const first = named[0] === undefined ? undefined : names.get(named[0])
    return first === undefined ? allSafes : startsWith(first)
  }
  const text = named.map(id => names.get(id) ?? missingSafe).join(', ')
  return only(allowed.length > named.length ? andMore(text, allowed.length - named.length) : text)
}
