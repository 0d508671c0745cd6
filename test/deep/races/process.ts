// The whole service as a process of its own. Its parent can set its clock (see service.ts) and ask for the number of
// open requests.
import { IncomingMessage } from 'node:http'
import { queryObjects } from 'node:v8'
import { buildApp } from '../../../app.js'
import { loadConfig } from '../../../plugins/config.js'
import { loggerOptions } from '../../../plugins/logger.js'
import { testClock } from '../../helper.js'

const clock = process.env.NOW ? testClock(Number(process.env.NOW)) : undefined
const config = loadConfig(process.env)
// Without a reader, its log would be mixed into the output of the test.
const logger = process.env.LOG_LEVEL ? { logger: loggerOptions(config) } : {}
const app = await buildApp({ config, overloadClock: () => 0, ...logger, ...(clock ? { clock } : {}) })
process.on('message', message => {
  if (message === 'requests') {
    process.send?.(queryObjects(IncomingMessage, { format: 'count' }))
    return
  }
  if (clock) clock.now = Number(message)
  process.send?.('set')
})
process.on('disconnect', () => app.close())
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
