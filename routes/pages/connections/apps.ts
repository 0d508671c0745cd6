import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../../domain/oauth/error.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import type { Page } from '../../../plugins/views.js'
import { formPage } from '../form-page.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

interface AppsPage extends Page {
  entered: { name: string; callbacks: string }
  /** The app that was just registered. */
  made: { name: string; id: string } | null
  /** The address of the endpoint that it connects to. */
  endpoint: string
}

const Add = { body: Type.Object({ name: TextField(100), callbacks: TextField(20_000) }) }

type Shown = { entered?: AppsPage['entered']; made?: AppsPage['made']; error?: string }

/** Registering an app that does not register itself (others use RFC 7591). */
export default async function appPages(app: TypedApp) {
  app.get('/connections/apps', (request, reply) => showApps(request, accountOf(request), reply, {}))
  app.post(
    '/connections/apps',
    { schema: Add },
    formPage({
      load: accountOf,
      change: add,
      show: showApps,
      entered: ({ body }: RequestOf<typeof Add>): Shown => ({ entered: body }),
    }),
  )
}

async function showApps(
  { server }: FastifyRequest,
  _: unknown,
  reply: FastifyReply,
  { entered = { name: '', callbacks: '' }, made = null, error }: Shown,
) {
  const endpoint = `${server.config.baseUrl}/mcp/v1`
  return reply.page<AppsPage>('apps', { here: 'connections', entered, made, endpoint, error })
}

async function add({ server, body }: RequestOf<typeof Add>): Promise<Shown> {
  const { name, callbacks } = body
  const redirectUris = callbacks.split(/\s+/).filter(Boolean)
  try {
    const { clients } = server.oauth
    const { id } = await clients.register({ client_name: name, redirect_uris: redirectUris })
    // Stored as if it had been used: unused registrations of strangers are removed after a week.
    await clients.saveApproved({ clientId: id, clientName: name, redirectUri: redirectUris[0] ?? '' })
    return { made: { name, id } }
  } catch (error) {
    if (error instanceof OAuthError) throw new DomainError(400, error.code, error.description)
    throw error
  }
}
