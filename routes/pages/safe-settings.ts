import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../common/domain-error.js'
import { exportFormats } from '../../formats/writers/index.js'
import type { Page } from '../../plugins/views.js'
import { TextField } from './forms.js'
import { refusal } from './refusal.js'
import { type SafeHead, safeHead } from './safe-head.js'
import { accountOf } from './signed-in.js'

declare module '../../plugins/views.js' {
  interface Pages {
    'safe-settings': SafeSettingsPage
  }
}

interface SafeSettingsPage extends Page {
  head: SafeHead
  /** The entered name, to be corrected. */
  name: string
  isEmpty: boolean
  exportFormats: readonly { id: string; title: string }[]
  mcpUrl: string
}

const SafeParams = Type.Object({ safeId: Type.String() })
const NameForm = Type.Object({ name: TextField() })

/** Address and export of a Safe; for owners also its name and the way to remove it. */
export default async function safeSettingsPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/safes/:safeId/settings', { schema: { params: SafeParams } }, (request, reply) =>
    showSettings(app, request, reply, request.params.safeId),
  )

  app.post(
    '/safes/:safeId/rename',
    { schema: { params: SafeParams, body: NameForm } },
    async (request, reply) => {
      const { safeId } = request.params
      const { name } = request.body
      try {
        await app.safes.rename(accountOf(request).id, safeId, name)
      } catch (error) {
        return showSettings(app, request, reply, safeId, { name, error: refusal(error, reply) })
      }
      return reply.redirect(`/safes/${safeId}/settings`, 303)
    },
  )
}

async function showSettings(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  safeId: string,
  again: { error?: string; name?: string } = {},
) {
  const safe = await app.safes.find(accountOf(request).id, safeId)
  if (!safe) throw notFound('Safe')
  return reply.page('safe-settings', {
    here: 'safes',
    head: safeHead(safe, 'settings'),
    name: safe.name,
    isEmpty: safe.counts.entities === 0,
    exportFormats,
    mcpUrl: `${app.config.baseUrl}/mcp/v1/${safeId}`,
    ...again,
  })
}
