import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

t.test('a thread is not terminated inside SQLite, which would abort the process', async t => {
  const terminate = fileURLToPath(new URL('terminate.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [terminate])
  t.equal(stdout, '5 threads terminated\n')
})
