import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async function bearerPlugin(_app: FastifyInstance) {}, { name: 'bearer' })
