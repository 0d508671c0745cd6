import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { FetchDocument } from '../domain/oauth/clients/document-fetch.js'
import { revocationReasons } from '../domain/oauth/connections/connection.js'
import { createOAuth, type OAuth } from '../domain/oauth/create-oauth.js'
import type { Clock } from '../platform/common/clock.js'
import { MINUTE_MS } from '../platform/common/durations.js'
import { whileListening } from './while-listening.js'

/** Counts on the connections page may be this old. */
const FLUSH_MS = 5000
const SWEEP_MS = 10 * MINUTE_MS

declare module 'fastify' {
  interface FastifyInstance {
    oauth: OAuth
  }
}

interface OAuthPluginOptions {
  clock: Clock
  fetchDocument: FetchDocument
}

export default fp(
  async function oauthPlugin(app: FastifyInstance, { clock, fetchDocument }: OAuthPluginOptions) {
    const { database, redis, keyFor, log } = app
    const oauth = createOAuth({
      ...app.config,
      ...{ database, redis, keyFor, clock, fetchDocument },
      record: app.activity.record,
      mayRead: async (accountId, safeIds) =>
        (await app.safes.readableAmong(accountId, safeIds)).length === safeIds.length,
      onFailure: (client, { message: reason }) => log.info({ client, reason }, 'client document not used'),
    })
    app.decorate('oauth', oauth)
    app.accounts.onClaim(accountId => oauth.connections.revokeAll(accountId, revocationReasons.claimed))
    app.accounts.beforeRemoval(oauth.forget)
    whileListening(app, SWEEP_MS, () => oauth.sweep().catch(err => log.warn({ err }, 'sweep failed')))
    const unwritten = (err: unknown) => log.warn({ err }, 'failed to write call counts')
    const timer = setInterval(() => oauth.usage.flush().catch(unwritten), FLUSH_MS).unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await oauth.usage.flush().catch(unwritten)
      await oauth.close()
    })
  },
  { name: 'oauth', dependencies: ['activity', 'accounts', 'safes', 'redis', 'service-key'] },
)
