import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async function securityPlugin(_app: FastifyInstance) {}, { name: 'security' })
