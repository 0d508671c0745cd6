import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async function oauthPlugin(_app: FastifyInstance) {}, { name: 'oauth' })
