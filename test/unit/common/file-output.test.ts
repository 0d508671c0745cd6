import { openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { outputTo } from '../../../cli/file-output.js'

t.test('an output to a file goes on when a full disk has room again (issue 53)', async t => {
  const file = join(t.testdir(), 'out')
  const fd = openSync(file, 'w')
  let room = Number.POSITIVE_INFINITY
  const write = (fd: number, bytes: Buffer) => {
    if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const written = writeSync(fd, bytes.subarray(0, room))
    room -= written
    return written
  }
  const output = outputTo(fd, process.stdout, write as typeof writeSync)
  const errors: unknown[] = []
  output.on('error', error => errors.push(error))
  output.write('first\n')
  room = 3
  output.write('second\n')
  output.write('third\n')
  await setImmediate()
  t.match(errors, [{ code: 'ENOSPC' }, { code: 'ENOSPC' }])
  room = Number.POSITIVE_INFINITY
  output.write('fourth\n')
  await setImmediate()
  t.equal(readFileSync(file, 'utf8'), 'first\nsec\nfourth\n')
  t.equal(errors.length, 2)
})
