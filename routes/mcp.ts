import type { FastifyInstance } from 'fastify'

export default async function mcpRoutes(_app: FastifyInstance) {}
