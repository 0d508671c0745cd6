import type { FastifyInstance } from 'fastify'

export default async function authorizeRoutes(_app: FastifyInstance) {}
