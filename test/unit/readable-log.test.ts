import t from 'tap'
import { nodeProblem } from '../../platform/common/node-version.js'
import { readable } from '../../plugins/readable-log.js'

t.test('on a terminal, the log is a line for each event (UX, the command line)', async t => {
  const written: string[] = []
  const log = readable({ write: line => void written.push(line) })
  const time = new Date(2026, 4, 1, 9, 8, 7).getTime()
  const req = { method: 'GET', path: '/safes' }
  const done = { req, res: { statusCode: 200 }, responseTime: 2.6 }
  log.write(`${JSON.stringify({ level: 30, time, msg: 'request completed', ...done })}\n`)
  log.write(
    `${JSON.stringify({ level: 50, time, msg: 'failed', err: { message: 'no', stack: 'Error: no' } })}\n`,
  )
  t.same(written, [
    '09:08:07 info  request completed GET /safes 200 3 ms\n',
    '09:08:07 error failed \nError: no\n',
  ])
})

t.test('Node.js below 20.12 gets a sentence (package.json, engines)', async t => {
  for (const old of ['18.19.0', '20.11.1', '0.12.0'])
    t.match(nodeProblem(old), `20.12 or newer, and this is ${old}.`)
  for (const good of ['20.12.0', '20.20.2', '22.0.0', '24.19.0']) t.equal(nodeProblem(good), null)
})
