import type { FastifyInstance } from 'fastify'

export default async function consentRoutes(_app: FastifyInstance) {}
