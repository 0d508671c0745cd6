import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async function safesPlugin(_app: FastifyInstance) {}, { name: 'safes' })
