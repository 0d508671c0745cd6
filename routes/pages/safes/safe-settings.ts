import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../../common/domain-error.js'
import { exportFormats } from '../../../formats/writers/index.js'
import type { Page } from '../../../plugins/views.js'
import type { ReadableSafe } from '../../../safes/safe.js'
import { TextField } from '../forms.js'
import { refusal } from '../refusal.js'
import { accountOf } from '../signed-in.js'
import { type SafeHead, safeHead } from './safe-head.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'safe-settings': SafeSettingsPage
  }
}

interface SafeSettingsPage extends Page {
  head: SafeHead
  /** The entered name, to be corrected. */
  name: string
  isEmpty: boolean
  /** For owners of a Safe with relations. */
  singleValued: SingleValued | null
  exportFormats: readonly { id: string; title: string }[]
  mcpUrl: string
}

/** Relations with one value at a time. */
interface SingleValued {
  marked: string[]
  /** The most frequent others, to choose from. */
  others: string[]
  /** The entered relation, to be corrected. */
  entered: string
}

/** Relations to choose from. */
const OFFERED = 100

const SafeParams = Type.Object({ safeId: Type.String() })
const NameForm = Type.Object({ name: TextField() })
const RelationForm = Type.Object({ relation: TextField() })

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

  for (const isOn of [true, false]) {
    app.post(
      `/safes/:safeId/single-valued${isOn ? '' : '/remove'}`,
      { schema: { params: SafeParams, body: RelationForm } },
      async (request, reply) => {
        const { safeId } = request.params
        const { relation } = request.body
        try {
          await app.safes.setSingleValued(accountOf(request).id, safeId, relation, isOn)
        } catch (error) {
          return showSettings(app, request, reply, safeId, { relation, error: refusal(error, reply) })
        }
        return reply.redirect(`/safes/${safeId}/settings#single-valued`, 303)
      },
    )
  }
}

async function showSettings(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  safeId: string,
  { relation = '', ...again }: { error?: string; name?: string; relation?: string } = {},
) {
  const safe = await app.safes.find(accountOf(request).id, safeId)
  if (!safe) throw notFound('Safe')
  return reply.page('safe-settings', {
    here: 'safes',
    head: safeHead(safe, 'settings'),
    name: safe.name,
    isEmpty: safe.counts.entities === 0,
    singleValued:
      safe.role === 'owner' ? await singleValuedOf(app, accountOf(request).id, safe, relation) : null,
    exportFormats,
    mcpUrl: `${app.config.baseUrl}/mcp/v1/${safeId}`,
    ...again,
  })
}

async function singleValuedOf(
  app: FastifyInstance,
  accountId: string,
  { id, counts }: ReadableSafe,
  entered: string,
): Promise<SingleValued | null> {
  const marked = await app.safes.singleValued(accountId, id)
  if (counts.relations === 0 && marked.length === 0) return null
  const { predicates } = await app.safes.browse.contents(accountId, id, OFFERED)
  const others = predicates.map(({ name }) => name).filter(name => !marked.includes(name))
  return { marked, others, entered }
}
