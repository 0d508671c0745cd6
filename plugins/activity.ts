import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Activity } from '../domain/activity/activity.js'
import { Recorder } from '../domain/activity/recorder.js'
import { ActivityStore } from '../domain/activity/stores/activity.sql.js'
import { DocumentReadStore } from '../domain/activity/stores/document-reads.sql.js'
import type { Clock } from '../platform/common/clock.js'
import { newId } from '../platform/common/secrets.js'
import { whileListening } from './while-listening.js'

declare module 'fastify' {
  interface FastifyInstance {
    activity: Activity
  }
}

/** Maximum age of entries lost by a killed process. */
const FLUSH_MS = 1000
const SWEEP_MS = 10 * 60_000

export default fp(
  async function activityPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const reads = new DocumentReadStore(app.database)
    const store = new ActivityStore(app.database, reads)
    const recorder = new Recorder({
      write: entries => store.add(entries),
      clock,
      process: newId().slice(0, 5),
      onUnavailable: err => app.log.warn({ err }, 'activity cannot be written and is kept in memory'),
      onDropped: dropped =>
        app.log.warn({ dropped }, 'activity was dropped: it could not be written in time'),
    })
    const activity = new Activity({ store, reads, recorder, clock, days: app.config.activityDays })
    app.decorate('activity', activity)

    const flushTimer = setInterval(() => void activity.flush(), FLUSH_MS).unref()
    app.addHook('onClose', async () => {
      clearInterval(flushTimer)
      await activity.close()
    })
    const sweep = () => activity.sweep().catch(err => app.log.warn({ err }, 'sweep failed'))
    whileListening(app, SWEEP_MS, sweep)
  },
  { name: 'activity', dependencies: ['config', 'database'] },
)
