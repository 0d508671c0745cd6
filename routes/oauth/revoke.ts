import type { FastifyInstance } from 'fastify'

export default async function revokeRoutes(_app: FastifyInstance) {}
