import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

t.test('a thread is not terminated inside SQLite, which would abort the process', async t => {
  const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const loaders = ['--import=tsx', `--import=${path('../../tsx-in-threads.mjs')}`]
  const { stdout } = await promisify(execFile)(process.execPath, [...loaders, path('terminate.ts')])
  t.equal(stdout, '12 threads terminated\n')
})
