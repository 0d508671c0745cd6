import type { FastifyInstance } from 'fastify'
import { createFetchDocument } from './domain/oauth/clients/document-fetch.js'
import { API_PATH } from './domain/oauth/resource.js'
import { type AppOptions, buildDomains } from './domains.js'
import backups from './plugins/backups.js'
import bearer from './plugins/bearer.js'
import bodyDeadline from './plugins/body-deadline.js'
import csrf from './plugins/csrf.js'
import doctor from './plugins/doctor.js'
import errors from './plugins/errors.js'
import host from './plugins/host.js'
import loadShedding from './plugins/load-shedding.js'
import mail from './plugins/mail.js'
import metrics from './plugins/metrics/metrics.js'
import outcome from './plugins/outcome.js'
import overloadDetector from './plugins/overload-detector.js'
import rateLimits from './plugins/rate-limits.js'
import renderer from './plugins/renderer.js'
import securityHeaders from './plugins/security-headers.js'
import session from './plugins/session.js'
import shutdown from './plugins/shutdown.js'
import traces from './plugins/traces/traces.js'
import unsentForms from './plugins/unsent-forms.js'
import uploads from './plugins/uploads.js'
import views from './plugins/views.js'
import apiRoutes from './routes/api/index.js'
import healthRoutes from './routes/health.js'
import loginRoutes from './routes/login.js'
import mcpRoutes from './routes/mcp.js'
import metricsRoutes from './routes/metrics.js'
import authorizeRoutes from './routes/oauth/authorize.js'
import consentRoutes from './routes/oauth/consent.js'
import registerRoutes from './routes/oauth/register.js'
import revokeRoutes from './routes/oauth/revoke.js'
import tokenRoutes from './routes/oauth/token.js'
import pageRoutes from './routes/pages/index.js'
import probeRoutes from './routes/probe.js'
import serverCardRoutes from './routes/server-card.js'
import webManifestRoute from './routes/web-manifest.js'
import wellKnownRoutes from './routes/well-known.js'
import wrongAddresses from './routes/wrong-addresses.js'

/** Builds the complete service, ready to listen. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = await buildDomains(options, 'server')
  await app.register(shutdown, { grace: options.stopGrace ?? (async () => {}) })

  await app.register(mail)
  await app.register(metrics)
  await app.register(traces)
  await app.register(backups, {
    clock: options.clock ?? Date.now,
    startAgain: options.startAgain ?? (() => {}),
  })
  await app.register(doctor, {
    clock: options.clock ?? Date.now,
    fetchDocument: options.fetchDocument ?? createFetchDocument(),
  })
  await app.register(views)
  await app.register(renderer)
  await app.register(errors)
  await app.register(rateLimits, { clock: options.clock ?? Date.now })
  await app.register(host)
  await app.register(overloadDetector, { now: options.overloadClock ?? (() => performance.now()) })
  await app.register(session, { clock: options.clock ?? Date.now })
  await app.register(csrf)
  await app.register(unsentForms, { clock: options.clock ?? Date.now })
  await app.register(outcome, { clock: options.clock ?? Date.now })
  await app.register(loadShedding)
  await app.register(bodyDeadline)
  await app.register(securityHeaders)
  await app.register(bearer)
  await app.register(uploads, { clock: options.clock ?? Date.now })

  await app.register(healthRoutes)
  await app.register(webManifestRoute)
  await app.register(probeRoutes)
  await app.register(metricsRoutes)
  await app.register(wellKnownRoutes)
  await app.register(registerRoutes)
  await app.register(authorizeRoutes)
  await app.register(consentRoutes)
  await app.register(tokenRoutes)
  await app.register(revokeRoutes)
  await app.register(mcpRoutes)
  await app.register(wrongAddresses)
  await app.register(serverCardRoutes)
  await app.register(apiRoutes, { prefix: API_PATH })
  await app.register(loginRoutes)
  await app.register(pageRoutes)
  return app
}
