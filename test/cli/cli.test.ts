import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { openDatabase } from '../../plugins/database.js'
import { build, dataDir } from '../helper.js'
import { people } from '../safes/open.js'
import { runHere, start, svc } from './svc.js'

const password = 'correct horse battery\n'

t.test('the command line does the whole job beside a running server (UX: first five minutes)', async t => {
  const folder = dataDir(t)
  const app = await build(t, { env: { DATA_DIR: folder } })
  const file = join(folder, 'people.nt')
  writeFileSync(file, people(20))

  const added = await svc(folder, ['account', 'add', 'Ann@Example.com', '--password-stdin'], password)
  t.equal(added.code, 0, added.stderr)
  const account = await app.accounts.findByEmail('ann@example.com')
  t.equal(added.stdout, `${account?.id}\n`)
  t.ok(await app.accounts.signIn('ann@example.com', password.trim(), '127.0.0.1'), 'the password is set')

  const safe = await svc(folder, ['safe', 'add', 'People', '--owner', 'ann@example.com'])
  t.equal(safe.code, 0, safe.stderr)
  const safeId = safe.stdout.trim()

  const imported = await svc(folder, ['safe', 'import', 'People', file])
  t.match(imported, { code: 0, stdout: '1\n', stderr: /21 entities, 20 relations, 0 passages/ })
  t.match(await app.safes.membership(account!.id, safeId), { version: 1 }, 'the server sees it at once')

  const asked = await svc(folder, ['ask', 'People', 'Whom does Person 3 know?'])
  t.match(asked, { code: 0, stdout: /Source: "people\.nt"\.\nPerson 3 — knows → Person 4/ })

  const path = ['ask', 'People', '--from', 'Person 3', '--to', 'Person 5', '--limit', '2']
  t.match(await svc(folder, path), { code: 0, stdout: /Person 3 — knows → Person 4 — knows → Person 5/ })
  const ranged = ['ask', 'People', 'Person 3', '--since', '2026-05-01', '--until', '2026-05-31']
  t.match(await svc(folder, ranged), { code: 0, stdout: /no passage of this Safe carries a time/ })
  const worded = ['ask', 'People', 'Who knows?', '--other-words', 'a, b, c, d', '--other-words', 'e, f, g']
  t.match(await svc(folder, worded), { code: 0, stdout: /"other_words" takes at most 6 phrases/ })
  t.match(await svc(folder, ['ask', 'People', '--other-words', 'a']), { code: 1, stderr: /add to a "query"/ })
  t.match(await svc(folder, ['ask', 'People', '--since', 'May']), {
    code: 1,
    stdout: '',
    stderr: /"since" is a date like/,
  })
  t.match(await svc(folder, ['ask', 'People']), { code: 0, stdout: /Best connected: Person/ })

  const dry = await svc(
    folder,
    ['safe', 'import', safeId, '-', '--format', 'ntriples', '--dry-run'],
    people(3),
  )
  t.match(dry, { code: 0, stdout: '', stderr: /would bring 4 entities/ })
  const again = await svc(folder, ['safe', 'import', 'People', file])
  t.match(again, { code: 0, stdout: '1\n', stderr: /in the Safe already, as import 1/ })
  const bad = await svc(folder, ['safe', 'import', 'People', '-', '--format', 'nt'], 'no triple\n')
  t.match(bad, { code: 1, stdout: '', stderr: /line 1: / })

  const listed = await svc(folder, ['safe', 'list', '--json'])
  t.match(JSON.parse(listed.stdout), [{ id: safeId, name: 'People', entities: 21, relations: 20 }])
  t.equal((await svc(folder, ['safe', 'undo', 'People', '1'])).code, 0)
  t.match(await app.safes.find(account!.id, safeId), { version: 2, counts: { entities: 0 } })

  const token = await svc(folder, ['connection', 'token', 'ann@example.com', '--safe', safeId])
  t.match(token, { code: 0, stdout: /^svc_at_\S+\n$/, stderr: new RegExp(`/mcp/v1/${safeId}`) })
  const connections = JSON.parse((await svc(folder, ['connection', 'list', '--json'])).stdout)
  t.match(connections, [{ account: 'ann@example.com', chosenSafeId: safeId }])
  t.equal((await svc(folder, ['connection', 'revoke', connections[0].id])).code, 0)
  t.equal((await svc(folder, ['connection', 'list'])).stdout, '')
})

t.test(
  'exit code 2 and the usage for what was not typed right; 1 for what is refused (DESIGN §5.12)',
  async t => {
    const folder = dataDir(t)
    const cases: [string[], 1 | 2, RegExp][] = [
      [['nonsense'], 2, /no command “nonsense”/],
      [['safe'], 2, /svc safe import SAFE/],
      [['safe', 'import', 'x'], 2, /Usage: svc safe import SAFE FILE\|-/],
      [['safe', 'list', '--colour'], 2, /Usage: svc safe list/],
      [['safe', 'add', 'x'], 2, /--owner EMAIL is missing/],
      [['account', 'add', 'a@example.com'], 2, /--password-stdin/],
      [['safe', 'add', 'x', '--owner', 'nobody@example.com'], 1, /no account/],
      [['ask', 'nowhere', 'what?'], 1, /no Safe/],
      [['ask', 'nowhere', 'what?', 'really?'], 2, /It needs SAFE/],
      [['safe', 'sample'], 1, /account add/],
    ]
    for (const [args, code, stderr] of cases) {
      t.match(await runHere(folder, args), { code, stdout: '', stderr }, args.join(' '))
    }
    t.equal((await svc(folder, ['nonsense'])).code, 2, 'as a process too')
    t.match(await runHere(folder, ['help']), { code: 0, stdout: /svc ask SAFE \[QUESTION\]/, stderr: '' })
    const config = await runHere(folder, ['config', '--json'])
    t.match(config.code, 0)
    t.match(JSON.parse(config.stdout), [{ name: 'BASE_URL' }])
  },
)

t.test('an import killed with kill -9 was never there, and the next one is good (GRAPH §1)', async t => {
  const folder = dataDir(t)
  const file = join(folder, 'people.nt')
  writeFileSync(file, people(60_000))
  await svc(folder, ['account', 'add', 'ann@example.com', '--password-stdin'], password)
  await svc(folder, ['safe', 'add', 'People', '--owner', 'ann@example.com'])
  const database = await openDatabase({ dataDir: folder, role: 'server' })
  t.teardown(() => database.close())

  const killed = await start(folder, ['safe', 'import', 'People', file])
  const staged = () => database.read.selectFrom('entities').select('key').limit(2000).execute()
  while ((await staged()).length < 2000) await pause(10)
  killed.child.kill('SIGKILL')
  t.equal((await killed.ended).code, null)
  t.match(await database.read.selectFrom('imports').selectAll().execute(), [{ id: 1, status: 'staged' }])
  const safes = JSON.parse((await svc(folder, ['safe', 'list', '--json'])).stdout)
  t.match(safes, [{ version: 0, entities: 0 }])

  writeFileSync(file, people(500))
  t.match(await svc(folder, ['safe', 'import', 'People', file]), { code: 0, stdout: '2\n' })
  const [safe] = JSON.parse((await svc(folder, ['safe', 'list', '--json'])).stdout)
  t.match(safe, { version: 1, entities: 501, relations: 500 })
})
