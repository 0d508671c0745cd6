// The whole service as a process of its own, with a clock that its parent sets (see service.ts).
import { buildApp } from '../../app.js'
import { loadConfig } from '../../plugins/config.js'
import { testClock } from '../helper.js'

const clock = testClock(Number(process.env.NOW))
const app = await buildApp({ config: loadConfig(process.env), clock })
process.on('message', now => {
  clock.now = Number(now)
  process.send?.('set')
})
process.on('disconnect', () => app.close())
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
