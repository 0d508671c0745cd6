import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Proposals } from '../domain/proposals/proposals.js'
import { ProposalStore } from '../domain/proposals/stores/proposal.sql.js'
import type { Clock } from '../platform/common/clock.js'
import { proposalsTexts } from '../views/texts/proposals.js'
import { whileListening } from './while-listening.js'

declare module 'fastify' {
  interface FastifyInstance {
    proposals: Proposals
  }
}

const SWEEP_MS = 3_600_000

export default fp(
  async function proposalsPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const proposals = new Proposals({
      store: new ProposalStore(app.database),
      safes: app.safes,
      activity: app.activity,
      clock,
      sourceOf: proposalsTexts.source,
    })
    app.decorate('proposals', proposals)

    const sweep = () => proposals.sweep().catch(err => app.log.warn({ err }, 'sweep failed'))
    whileListening(app, SWEEP_MS, sweep)
  },
  { name: 'proposals', dependencies: ['database', 'activity', 'safes'] },
)
