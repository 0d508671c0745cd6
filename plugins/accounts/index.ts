import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async function accountsPlugin(_app: FastifyInstance) {}, { name: 'accounts' })
