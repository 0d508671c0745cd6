import { readdirSync } from 'node:fs'
import t from 'tap'
import { addressTexts } from '../../../domain/doctor/checks/address-texts.js'
import type { CheckResult } from '../../../domain/doctor/finding.js'
import { doctorTexts } from '../../../domain/doctor/texts.js'
import { dataDir } from '../../data-dir.js'
import { runHere } from '../cli/svc.js'
import { healthy } from './healthy.js'

const m = { ...doctorTexts, ...addressTexts }

t.test('a healthy set-up has no finding: embedded', async t => {
  const { doctor, proxy } = await healthy(t, {})
  const full = 'mount -t tmpfs -o size=8m none "$DATA_DIR" && exec "$@"'
  // In parallel: none of them affects another.
  const [found, withFewFiles, onFullDisk] = await Promise.all([
    doctor(),
    doctor([], ['sh', '-c', 'ulimit -n 512; exec "$@"', 'sh']),
    doctor([], ['unshare', '-rm', 'sh', '-c', full, 'sh']),
  ])
  const { code, stdout, stderr } = found
  t.strictSame({ code, stderr }, { code: 0, stderr: `${m.noProblems}\n` })
  t.strictSame(
    stdout.trimEnd().split('\n'),
    Object.values(m.checks).map(name => `ok       ${name}`),
  )

  t.test('a warning is no failure', async t => {
    const { onRequest } = proxy
    proxy.onRequest = headers => delete headers['x-forwarded-for']
    const { code, stdout, stderr } = await doctor()
    proxy.onRequest = onRequest
    t.strictSame({ code, stderr }, { code: 0, stderr: '1 warning\n' })
    const { what, why, fix } = m.proxy.notForwarded
    const lines = [`warning  ${m.checks.proxy}`, what, `${m.why} ${why}`, `${m.fix} ${fix}`]
    t.ok(stdout.includes(lines.join('\n         ')), stdout)
  })

  t.test('a problem is one', async t => {
    const { onRequest } = proxy
    proxy.onRequest = headers => {
      delete headers.authorization
      headers['x-forwarded-for'] = '198.51.100.7'
    }
    const { code, stdout, stderr } = await doctor(['--json'])
    proxy.onRequest = onRequest
    t.strictSame({ code, stderr }, { code: 1, stderr: '1 problem\n' })
    const results = JSON.parse(stdout) as CheckResult[]
    t.strictSame(
      results.filter(({ level }) => level !== 'ok'),
      [{ check: 'tokens', level: 'problem', findings: [{ level: 'problem', ...m.tokens.dropped }] }],
    )
  })

  t.test('few open files', async t => {
    const { code, stdout } = withFewFiles
    t.equal(code, 0)
    t.match(stdout, /warning {2}Open files\n {9}This process can open only 512 files\./)
  })

  t.test('a full disk', async t => {
    const { code, stdout } = onFullDisk
    t.equal(code, 1)
    t.match(stdout, /problem {2}Disk space\n {9}The disk of .* is full: 8\.4 MB left\./)
  })
})

t.test('nothing runs: the command says so and creates nothing', async t => {
  const folder = dataDir(t)
  const env = { BASE_URL: 'http://localhost:9', REDIS_URL: 'redis://127.0.0.1:9' }
  const { code, stdout, stderr } = await runHere(folder, ['doctor'], '', env)
  t.equal(code, 1)
  t.equal(stderr, '3 problems\n')
  t.match(stdout, `There is no installation in ${folder}.`)
  t.match(stdout, /Redis does not answer: .*ECONNREFUSED/)
  t.match(stdout, 'Nothing answers at http://localhost:9: ')
  t.strictSame(readdirSync(folder), [])

  const postgres = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }
  const other = await runHere(folder, ['doctor', '--json'], '', postgres)
  t.match(other.stdout, /The database cannot be used: .*ECONNREFUSED/)
})
