import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { logLinesDropped } from '../../../platform/common/events.js'
import { LogDestination } from '../../../plugins/log-destination.js'
import { dataDir } from '../../data-dir.js'
import { until } from '../../until.js'

t.test(
  'lines that meet a full pipe are written in order, and what was dropped is reported (issue 53)',
  async t => {
    const path = join(dataDir(t), 'pipe')
    execFileSync('mkfifo', [path])
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    t.teardown(() => closeSync(fd))
    const log = new LogDestination(fd, (dropped, errors) => `dropped ${dropped}, ${errors} errors\n`)
    const line = (n: number) => `${String(n).padStart(4, '0')}${'x'.repeat(1000)}\n`
    let counted = 0
    t.teardown(logLinesDropped.subscribe(() => counted++))
    for (let n = 0; n < 1000; n++) log.write(line(n))
    let text = ''
    const buffer = Buffer.alloc(65_536)
    const read = () => {
      try {
        text += buffer.toString('latin1', 0, readSync(fd, buffer))
      } catch {
        // Nothing is there yet.
      }
    }
    await until(() => {
      read()
      return text.includes('dropped')
    })
    const lines = text.split('\n')
    const kept = lines.filter(one => one.endsWith('x'))
    t.ok(kept.length > 300 && kept.length < 400, `${kept.length} lines were kept`)
    t.strictSame(
      kept,
      kept.map((_, n) => line(n).trim()),
      'whole and in order',
    )
    t.equal(lines[kept.length], `dropped ${1000 - kept.length}, 0 errors`)
    t.equal(counted, 1000 - kept.length, 'and counted by the metric')
    log.write('later\n')
    await until(() => {
      read()
      return text.endsWith('later\n')
    })
    t.equal(text.split('\n').length, kept.length + 3)
  },
)

t.test('a full disk throws at nobody (issue 53)', async t => {
  // Every write to it fails as on a full disk (full(4)).
  const fd = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(fd))
  const log = new LogDestination(fd, () => '')
  for (let n = 0; n < 1000; n++) log.write('line\n')
  t.notOk('flushSync' in log, 'pino would call it after a fatal line')
})
