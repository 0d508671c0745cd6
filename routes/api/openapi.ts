import type { TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import { READ, WRITE } from '../../domain/oauth/scope.js'
import { version } from '../../platform/common/package.js'

/** The routes of the API, in the order of their registration. */
type DescribedRoutes = RouteOptions[]

/** Collects the routes that are registered after this call and have a summary. */
export function describedRoutes(app: FastifyInstance): DescribedRoutes {
  const routes: DescribedRoutes = []
  app.addHook('onRoute', route => {
    // Fastify adds a HEAD route with the same schema to each GET route.
    const isKnown = routes.some(({ schema }) => schema === route.schema)
    if (route.schema?.summary !== undefined && !isKnown) routes.push(route)
  })
  return routes
}

const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'A sentence for people.' }),
    code: Type.String({ description: 'Stable, for programs.' }),
    wanted: Type.Optional(
      Type.Array(Type.String(), { description: 'With `contents_missing`: SHA-256 of the contents, in hex.' }),
    ),
  },
  { description: 'RFC 9457.' },
)

/** `GET /openapi.json`, without a token: the description of the API (OpenAPI 3.1). */
export default async function openApiRoutes(app: FastifyInstance, { routes }: { routes: DescribedRoutes }) {
  let description: Promise<string> | undefined
  app.get('/openapi.json', async (_request, reply) => {
    // Only on request: loading @fastify/swagger would slow down every start.
    description ??= describe(app.config.baseUrl, routes).then(document => JSON.stringify(document))
    return reply
      .header('Cache-Control', 'public, max-age=3600')
      .type('application/json')
      .send(await description)
  })
}

/** Describes routes as those of a separate service that never listens. */
async function describe(baseUrl: string, routes: DescribedRoutes): Promise<object> {
  const { default: swagger } = await import('@fastify/swagger')
  const described = Fastify({ exposeHeadRoutes: false })
  described.setValidatorCompiler(() => () => true)
  described.setSerializerCompiler(() => () => '')
  await described.register(swagger, {
    exposeHeadRoutes: true,
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Safes', version, description: `The same in words: docs/api.md` },
      servers: [{ url: baseUrl }],
      security: [{ oauth: [READ] }],
      components: { securitySchemes: { oauth: securityOf(baseUrl) } },
    },
  })
  for (const { method, url, schema, config } of routes) {
    const { body, ...others } = (schema ?? {}) as { body?: TSchema }
    const content = contentOf(body, config?.takes)
    const response = { ...answersOf(config?.answers ?? {}), default: problem }
    described.route({
      method,
      url,
      schema: { ...others, ...(content ? { body: { content } } : {}), response },
      handler: async () => '',
    })
  }
  await described.ready()
  const document = described.swagger()
  await described.close()
  return document
}

const problem = { description: 'A problem.', content: { 'application/problem+json': { schema: Problem } } }

function contentOf(body: TSchema | undefined, takes: string | undefined) {
  if (!body && !takes) return null
  return {
    ...(body ? { 'application/json': { schema: body } } : {}),
    ...(takes ? { [takes]: { schema: Type.Unknown() } } : {}),
  }
}

function answersOf(answers: Record<number, TSchema | null>): Record<string, object> {
  const described = Object.entries(answers).map(([status, schema]) => [
    status,
    schema
      ? { description: 'Done.', content: { 'application/json': { schema } } }
      : { description: 'Done.', type: 'null' },
  ])
  return Object.fromEntries(described)
}

const securityOf = (baseUrl: string) => ({
  type: 'oauth2' as const,
  description: `Request tokens for the resource ${baseUrl}/api/v1 (RFC 8707), with PKCE.`,
  flows: {
    authorizationCode: {
      authorizationUrl: `${baseUrl}/oauth/authorize`,
      tokenUrl: `${baseUrl}/oauth/token`,
      refreshUrl: `${baseUrl}/oauth/token`,
      scopes: { [READ]: 'List, ask and export.', [WRITE]: 'Add and replace files in the chosen Safes.' },
    },
  },
})
