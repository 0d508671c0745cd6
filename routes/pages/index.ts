import type { FastifyInstance } from 'fastify'

export default async function pageRoutes(_app: FastifyInstance) {}
