import type { FastifyInstance } from 'fastify'

export default async function registerRoutes(_app: FastifyInstance) {}
