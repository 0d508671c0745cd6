import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Doctor } from '../domain/doctor/examine.js'
import { PublicAddress } from '../domain/doctor/public-address.js'
import type { FetchDocument } from '../domain/oauth/clients/document-fetch.js'
import type { Clock } from '../platform/common/clock.js'

declare module 'fastify' {
  interface FastifyInstance {
    doctor: Doctor
  }
}

interface DoctorPluginOptions {
  clock: Clock
  fetchDocument: FetchDocument
}

export default fp(
  async function doctorPlugin(app: FastifyInstance, { clock, fetchDocument }: DoctorPluginOptions) {
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
