import type { Access } from '../../../domain/oauth/connections/access.js'
import { READ, WRITE } from '../../../domain/oauth/scope.js'
import { UPLOADS_SCOPE } from '../../../domain/safes/uploads/uploads.js'
import { mayFill } from '../../api/access.js'
import { Begin, begin } from '../../api/imports.js'
import uploadRoutes from '../../api/uploads.js'
import type { TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

/** The uploads of the API (ADR 57) for the script of our pages, which has a session instead of an access token. */
export default async function sentFiles(app: TypedApp) {
  app.addHook('preParsing', async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    const accountId = accountOf(request).id
    request.checkCsrf(UPLOADS_SCOPE, request.headers['csrf-token'] ?? null)
    request.access = { accountId, tokenScope: [READ, WRITE] } as Access
  })
  await app.register(uploadRoutes)
  app.post('/safes/:safe/imports', { preParsing: mayFill, schema: Begin }, begin)
}
