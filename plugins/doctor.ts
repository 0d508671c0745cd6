import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../common/clock.js'
import { Doctor } from '../doctor/doctor.js'
import { PublicAddress } from '../doctor/public-address.js'
import type { FetchDocument } from '../oauth/clients/document-fetch.js'

declare module 'fastify' {
  interface FastifyInstance {
    doctor: Doctor
  }
}

interface Options {
  clock: Clock
  fetchDocument: FetchDocument
}

export default fp(
  async function doctorPlugin(app: FastifyInstance, { clock, fetchDocument }: Options) {
    const { config, database, redis, keyFor } = app
    app.decorate(
      'doctor',
      new Doctor({
        settings: config,
        address: new PublicAddress(config.baseUrl),
        database: async () => database.read,
        redis: async () => redis,
        keyFor: async () => keyFor,
        unknownSettings: config.unknown,
        fetchDocument,
        clock,
      }),
    )
  },
  { name: 'doctor', dependencies: ['database', 'redis', 'service-key'] },
)
