import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startBuilt } from '../../built-server.js'
import { dataDir } from '../../helper.js'
import { builtFolder } from '../../servers.js'
import { until } from '../../until.js'

/** Every write to it fails as on a full disk (full(4)). */
const FULL_DISK = '/dev/full'

t.test('a log on a full disk stops neither answers nor SIGTERM (issue 53)', async t => {
  const full = openSync(FULL_DISK, 'w')
  t.teardown(() => closeSync(full))
  const env = { DATA_DIR: dataDir(t), LOG_LEVEL: 'trace' }
  const server = await startBuilt(env, { files: await builtFolder(), stdout: full })
  t.teardown(() => server.stop('SIGKILL'))
  for (let i = 0; i < 3; i++) t.equal((await fetch(`${server.url}/healthz`)).status, 200)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('a log whose reader stalls stops no answer, and reports what was dropped (issue 53)', async t => {
  const env = { DATA_DIR: dataDir(t), LOG_LEVEL: 'info' }
  const server = await startBuilt(env, { files: await builtFolder(), stdout: 'pipe' })
  t.teardown(() => server.stop('SIGKILL'))
  const path = `/${'x'.repeat(30)}/`.repeat(250)
  for (let i = 0; i < 100; i++) t.equal((await fetch(`${server.url}${path}`)).status, 404)
  let log = ''
  server.child.stdout?.on('data', chunk => {
    log += chunk
  })
  await until(() => log.includes('dropped log lines'))
  const lines = log.trim().split('\n')
  const report = lines.map(line => JSON.parse(line)).find(({ dropped }) => dropped !== undefined)
  t.match(report, { level: 40, dropped: Number, time: Number, pid: Number })
})

t.test(
  'a command whose messages meet a full disk goes on; without its output it fails (issue 53)',
  async t => {
    const cli = join(await builtFolder(), 'dist', 'cli.js')
    const full = openSync(FULL_DISK, 'w')
    t.teardown(() => closeSync(full))
    const run = async (args: string[], streams: [number | 'pipe', number | 'pipe']) => {
      const env = { PATH: process.env.PATH, DATA_DIR: dataDir(t), ADMIN_PASSWORD: '' }
      const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['pipe', ...streams] })
      child.stdin?.end('correct horse battery\n')
      let printed = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', chunk => {
          printed += chunk
        })
      const [code] = await once(child, 'close')
      return { code, printed }
    }
    const account = ['account', 'add', 'ann@example.com', '--password-stdin']
    t.match(await run(account, ['pipe', full]), { code: 0, printed: /^\S+\n$/ })
    t.match(await run(account, [full, 'pipe']), { code: 1, printed: /Could not write the output: .*ENOSPC/ })
  },
)
