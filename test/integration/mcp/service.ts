import { Readable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'
import type { IssuedToken, IssueOptions } from '../../../domain/oauth/connections/issue-tokens.js'
import { type BuildOptions, build } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { zip } from '../../zip.js'

export const BASE = 'https://safes.example'

const GRAPH = [
  { type: 'entity', name: 'Ada', entityType: 'person', observations: ['Ada designed the harbour crane.'] },
  { type: 'entity', name: 'Harbour project', entityType: 'project', observations: [] },
  { type: 'relation', from: 'Ada', to: 'Harbour project', relationType: 'works on' },
]

/** The real service with Ann, who has two Safes, and Bob, who has one, and functions to post to it. */
export async function buildService(t: Test, options: BuildOptions = {}) {
  const app = await build(t, options)
  const ann = await addAccount(app, 'ann')
  const bob = await addAccount(app, 'bob')
  const harbour = (await app.safes.create(ann, 'Harbour')).id
  const garden = (await app.safes.create(ann, 'Garden')).id
  const office = (await app.safes.create(bob, 'Office')).id
  const issue = (accountId: string, grant: IssueOptions['grant'] = {}, more: Partial<IssueOptions> = {}) =>
    app.oauth.issueTokens(accountId, { clientName: 'test', grant, ...more })
  return { app, ann, bob, harbour, garden, office, issue, poster: posterOf(app) }
}

/** Imports Markdown files, by path. */
export async function importNotes(
  app: FastifyInstance,
  accountId: string,
  safeId: string,
  notes: Record<string, string>,
): Promise<void> {
  const bytes = Readable.from([zip(Object.entries(notes).map(([name, content]) => ({ name, content })))])
  await app.safes.imports.add(accountId, safeId, { source: 'notes.zip', bytes, commit: true })
}

/** Puts a small graph into a Safe. */
export async function fill(app: FastifyInstance, accountId: string, safeId: string): Promise<void> {
  const bytes = Readable.from([GRAPH.map(line => JSON.stringify(line)).join('\n')])
  await app.safes.imports.add(accountId, safeId, { source: 'memory.jsonl', bytes, commit: true })
}

/** Inserts an account row, because these tests need no password hash. */
async function addAccount(app: FastifyInstance, id: string): Promise<string> {
  const row = { id, email: `${id}@a.example`, password_hash: '', role: 'member' as const }
  await app.database.write(trx =>
    trx
      .insertInto('accounts')
      .values({ ...row, session_epoch: 0, created_at: 0 })
      .execute(),
  )
  return id
}

/** Posts JSON-RPC with a token, as a client does. */
export function posterOf(app: FastifyInstance) {
  return ({ accessToken }: Pick<IssuedToken, 'accessToken'>, url = '/mcp/v1') => {
    const send = (payload: unknown, headers: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', ...headers },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      })
    const post = async (payload: unknown, headers: Record<string, string> = {}) => {
      const reply = await send(payload, headers)
      return { status: reply.statusCode, headers: reply.headers, body: reply.body ? reply.json() : undefined }
    }
    const request = (options: InjectOptions) =>
      app.inject({ url, ...options, headers: { authorization: `Bearer ${accessToken}`, ...options.headers } })
    const tool = async (
      name: string,
      args: Record<string, unknown>,
      headers: Record<string, string> = {},
    ) => {
      const message = rpc(1, 'tools/call', { name, arguments: args })
      const { body } = await post(message, { 'mcp-protocol-version': '2025-06-18', ...headers })
      return body.result
    }
    const initialize = async (protocolVersion = '2025-06-18', capabilities = {}) => {
      const clientInfo = { name: 'test', version: '1' }
      const { headers } = await post(rpc(0, 'initialize', { protocolVersion, capabilities, clientInfo }))
      return headers['mcp-session-id'] as string
    }
    return { send, post, request, tool, initialize }
  }
}

/** The number of calls shown for each connection, after the counts have been written. */
export async function callsOf(app: FastifyInstance, accountId: string): Promise<number> {
  const connections = await app.oauth.connections.listFor(accountId)
  return connections.reduce((sum, { calls }) => sum + calls, 0)
}
