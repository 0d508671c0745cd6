import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async function sessionPlugin(_app: FastifyInstance) {}, { name: 'session' })
