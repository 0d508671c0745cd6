import type { FastifyInstance } from 'fastify'

export default async function loginRoutes(_app: FastifyInstance) {}
