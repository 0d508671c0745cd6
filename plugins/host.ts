import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async function hostPlugin(_app: FastifyInstance) {}, { name: 'host' })
