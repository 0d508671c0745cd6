import type { Test } from 'tap'
import type { NewEntry } from '../../../domain/activity/entry.js'
import type { Access } from '../../../domain/oauth/connections/access.js'
import type { McpSessions } from '../../../domain/oauth/connections/mcp-session.js'
import type { Answer } from '../../../domain/safes/ask/answer.js'
import type { ListOptions, Question, ReadableSafe } from '../../../domain/safes/safe.js'
import type { Safes } from '../../../domain/safes/safes.js'
import type { Meter, RequestContext } from '../../../mcp/context.js'
import { type Call, Dispatch, type DispatchOptions } from '../../../mcp/dispatch.js'
import { DomainError, notFound } from '../../../platform/common/domain-error.js'

/** Safes of two accounts in memory, for tests without a store. `asked` records every question. */
export function memorySafes(members: Record<string, string[]>) {
  const asked: { accountId: string; safeId: string; question: Question }[] = []
  const readable = (accountId: string): ReadableSafe[] =>
    (members[accountId] ?? []).map(id => ({
      id,
      name: `Safe ${id}`,
      version: 1,
      createdAt: 0,
      role: 'owner',
      counts: { entities: 3, relations: 2, passages: 1, documents: 1 },
    }))
  const find = (accountId: string, id: string) => readable(accountId).find(safe => safe.id === id) ?? null
  const safes = {
    readableBy: async (accountId: string, { after, limit = 100 }: ListOptions<string> = {}) => {
      const all = readable(accountId)
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      return all.slice(start, start + limit)
    },
    readableAmong: async (accountId: string, ids: readonly string[]) =>
      readable(accountId).filter(({ id }) => ids.includes(id)),
    membership: async (accountId: string, id: string) => find(accountId, id),
    questions: {
      ask: async (accountId: string, safeId: string, question: Question) => {
        if (!find(accountId, safeId)) throw notFound('Safe')
        // Its characters are tested with whole answers (test/integration/mcp/result-size.test.ts).
        const { characters: _, ...rest } = question
        asked.push({ accountId, safeId, question: rest })
        if (question.query === 'refuse me') throw new DomainError(422, 'odd', 'Ask something else.')
        if (question.query === 'break') throw Object.assign(new Error('secret: /etc/passwd'), { status: 404 })
        if (question.query === 'fail') throw new DomainError(500, 'odd', 'secret: why')
        if (question.query === 'hang') await new Promise(() => {})
        await new Promise(resolve => setImmediate(resolve))
        return answerOf(safeId, question.query)
      },
    },
  } as unknown as Safes
  return { safes, asked, members }
}

export function answerOf(safeId: string, query = ''): Answer {
  const empty = { linked: [], facts: [], passages: [], entities: [], hints: [] }
  return {
    ...empty,
    safe: { id: safeId, name: `Safe ${safeId}` },
    mode: 'search',
    verdict: 'answered',
    confidence: 1,
    entities: [query],
    total: 0,
    truncated: false,
    next_cursor: null,
  }
}

/** Records which sessions were opened and ended and which Safes were selected. */
export function memorySessions() {
  const events: string[] = []
  const sessions: McpSessions = {
    open: async (access, { protocolVersion }) => {
      events.push(`open ${access.connectionId} ${protocolVersion}`)
      return `session-of-${access.connectionId}`
    },
    end: async (_access, id) => {
      events.push(`end ${id}`)
    },
    select: async (access, safeId) => {
      events.push(`select ${access.connectionId} ${safeId}`)
    },
  }
  return { sessions, events }
}

export function accessOf(accountId: string, changes: Partial<Access> = {}): Access {
  return {
    accountId,
    clientId: 'svc_client_test',
    scope: ['vault:read'],
    tokenScope: ['vault:read'],
    resource: 'user',
    resourceSent: true,
    chosenSafeIds: [],
    onlyChosenSafe: false,
    connectionId: `connection-of-${accountId}`,
    selectedSafeId: null,
    session: null,
    ...changes,
  }
}

export function contextOf(accountId: string, revision = '2025-03-26'): RequestContext {
  return {
    access: accessOf(accountId),
    allowedSafeIds: null,
    revision,
    showsApps: false,
    meter: freeOfCharge,
  }
}

const freeOfCharge: Meter = { calls() {}, work() {} }

/** An endpoint with in-memory Safes, until the test ends, and functions to post to it. Reported errors are recorded. */
export function openTestEndpoint(
  t: Test,
  members: Record<string, string[]>,
  changes: Partial<DispatchOptions> = {},
) {
  const { safes, asked } = memorySafes(members)
  const { sessions, events } = memorySessions()
  const reported: unknown[] = []
  const recorded: NewEntry[] = []
  const endpoint = new Dispatch({
    brand: 'svc',
    version: '1.2.3',
    baseUrl: 'https://safes.example',
    domain: { safes, sessions, activity: { record: entry => recorded.push(entry) } },
    isUnavailable: error => error instanceof Error && error.message === 'unavailable',
    report: error => `ref-${reported.push(error)}`,
    ...changes,
  })
  t.teardown(() => endpoint.close())
  const post = async (body: unknown, call: Partial<Call> = {}) => {
    const reply = await endpoint.answer({
      access: accessOf('ann'),
      endpoint: 'user',
      protocolVersion: undefined,
      mcpMethod: undefined,
      mcpName: undefined,
      sessionId: undefined,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      meter: freeOfCharge,
      hangUp: () => new AbortController().signal,
      ...call,
    })
    // biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into by the tests
    return { ...reply, body: reply.body as any }
  }
  const tool = async (name: string, args: Record<string, unknown>, call: Partial<Call> = {}) => {
    const reply = await post(rpc(1, 'tools/call', { name, arguments: args }), call)
    return reply.body.result as {
      isError?: boolean
      content: { type: string; text: string }[]
      structuredContent?: Record<string, unknown>
    }
  }
  return { endpoint, post, tool, safes, asked, events, recorded, reported }
}

export function rpc(id: unknown, method: string, params?: unknown) {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
}
