import type { FastifyInstance } from 'fastify'

export default async function tokenRoutes(_app: FastifyInstance) {}
