import type { FastifyInstance } from 'fastify'

export default async function wellKnownRoutes(_app: FastifyInstance) {}
