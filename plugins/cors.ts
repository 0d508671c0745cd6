import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async function corsPlugin(_app: FastifyInstance) {}, { name: 'cors' })
