import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { version } from '../../../platform/common/package.js'
import { build, dataDir } from '../../helper.js'
import { people } from '../safes/open.js'
import { onTerminal, runHere } from './svc.js'
import { openInstallation } from './vault.js'

const password = 'correct horse battery\n'

t.test('the command line does the whole job beside a running server (UX: first five minutes)', async t => {
  const folder = dataDir(t)
  const app = await build(t, { env: { DATA_DIR: folder } })
  const file = join(folder, 'people.nt')
  writeFileSync(file, people(20))

  const added = await runHere(folder, ['account', 'add', 'Ann@Example.com', '--password-stdin'], password)
  t.equal(added.code, 0, added.stderr)
  const account = await app.accounts.findByEmail('ann@example.com')
  t.equal(added.stdout, `${account?.id}\n`)
  t.ok(
    await app.accounts.passwords.signIn('ann@example.com', password.trim(), '127.0.0.1'),
    'the password is set',
  )

  const safe = await runHere(folder, ['safe', 'add', 'People', '--owner', 'ann@example.com'])
  t.equal(safe.code, 0, safe.stderr)
  const safeId = safe.stdout.trim()

  const imported = await runHere(folder, ['safe', 'import', 'People', file])
  t.match(imported, { code: 0, stdout: '1\n', stderr: /21 things, 20 relations, 0 passages/ })
  const answer = await app.safes.questions.ask(account!.id, safeId, { query: 'Whom does Person 3 know?' })
  t.match(answer.facts, [{ object: 'Person 4' }], 'the server sees it at once')

  const asked = await runHere(folder, ['ask', 'People', 'Whom does Person 3 know?'])
  t.match(asked, {
    code: 0,
    stdout: /Source: "people\.nt"\.\nRecognized: Person 3\.\nPerson 3 — knows → Person 4/,
  })

  t.match(await runHere(folder, ['ask', 'people', 'Whom does Person 3 know?']), {
    code: 0,
    stdout: /Recognized: Person 3/,
  })
  t.match(await runHere(folder, ['ask', 'Peopel', 'x']), {
    code: 1,
    stderr: /no Safe with the id or name “Peopel”\. There are: "People" \(.{22}\)\./,
  })
  const program = ['connection', 'token', 'ann@example.com', '--for', '90d', '--name', 'Nightly report']
  const nightly = await runHere(folder, program)
  t.match(nightly, { code: 0, stdout: /^svc_at_/ })
  const [named] = await app.oauth.connections.listFor(account!.id)
  t.match(named, { clientName: 'Nightly report' })
  await app.oauth.connections.revoke(account!.id, named?.id ?? '')
  t.ok(
    (Date.parse(/Until (\S+);/.exec(nightly.stderr)?.[1] ?? '') - (named?.createdAt ?? 0)) / 86_400_000 > 89,
    '90 days',
  )
  t.match(await runHere(folder, [...program.slice(0, 4), '3w']), { code: 2, stderr: /1 to 90/ })
  const client = await runHere(folder, ['client', 'add', 'Mastra', 'http://localhost:4111/callback'])
  t.match(client, { code: 0, stdout: /^svc_client_\w+\n$/, stderr: /no client secret/ })
  t.match(await app.oauth.clients.find(client.stdout.trim()), { name: 'Mastra', lastUsedAt: Number })
  t.match(await runHere(folder, ['client', 'add', 'Bad', 'http://app.example/']), { code: 1, stdout: '' })

  const path = ['ask', 'People', '--from', 'Person 3', '--to', 'Person 5', '--limit', '2']
  t.match(await runHere(folder, path), { code: 0, stdout: /Person 3 — knows → Person 4 — knows → Person 5/ })
  const ranged = ['ask', 'People', 'Person 3', '--since', '2026-05-01', '--until', '2026-05-31']
  t.match(await runHere(folder, ranged), { code: 0, stdout: /no passage of this Safe has a time/ })
  const worded = ['ask', 'People', 'Who knows?', '--other-words', 'a, b, c, d', '--other-words', 'e, f, g']
  t.match(await runHere(folder, worded), { code: 0, stdout: /"other_words" takes at most 6 phrases/ })
  const both = ['ask', 'People', 'Person', '--where', 'knows=Cy', '--where', 'knows=Di']
  t.match(await runHere(folder, both), { code: 1, stderr: /No note has "knows": "Cy" or "Di"/ })
  t.match(await runHere(folder, ['ask', 'People', '--recent']), { code: 0, stdout: /nothing found/ })
  t.match(await runHere(folder, ['ask', 'People', '--where', 'status']), { code: 2, stderr: /status=draft/ })
  t.match(await runHere(folder, ['ask', 'People', '--other-words', 'a']), {
    code: 1,
    stderr: /add to a "query"/,
  })
  t.match(await runHere(folder, ['ask', 'People', '--since', 'May']), {
    code: 1,
    stdout: '',
    stderr: /"since" is a date like/,
  })
  t.match(await runHere(folder, ['ask', 'People']), { code: 0, stdout: /Best connected: Person/ })

  const dry = await runHere(
    folder,
    ['safe', 'import', safeId, '-', '--format', 'ntriples', '--dry-run'],
    people(3),
  )
  t.match(dry, {
    code: 0,
    stdout: '',
    stderr: /Already there: 4 things, 3 relations.*would add 1 document, 0 things/s,
  })
  const again = await runHere(folder, ['safe', 'import', 'People', file])
  t.match(again, { code: 0, stdout: '1\n', stderr: /already contains this file, as import 1/ })
  const bad = await runHere(folder, ['safe', 'import', 'People', '-', '--format', 'nt'], 'no triple\n')
  t.match(bad, { code: 1, stdout: '', stderr: /line 1: / })

  const listed = await runHere(folder, ['safe', 'list', '--json'])
  t.match(JSON.parse(listed.stdout), [{ id: safeId, name: 'People', entities: 21, relations: 20 }])
  t.equal((await runHere(folder, ['safe', 'undo', 'People', '1', '--yes'])).code, 0)
  t.match(await app.safes.find(account!.id, safeId), { version: 2, counts: { entities: 0 } })

  const token = await runHere(folder, ['connection', 'token', 'ann@example.com', '--safe', safeId])
  t.match(token, { code: 0, stdout: /^svc_at_\S+\n$/, stderr: new RegExp(`/mcp/v1/${safeId}`) })
  const forApi = ['connection', 'token', 'ann@example.com', '--api', '--write', '--safe', safeId]
  const issued = await runHere(folder, forApi)
  t.match(issued, { code: 0, stdout: /^svc_at_\S+\n$/, stderr: /^For \S+\/api\/v1\n/ })
  const access = await app.oauth.authenticate(issued.stdout.trim(), null)
  t.match(access, { resource: 'api', tokenScope: ['vault:read', 'vault:write'], onlyChosenSafe: true })
  t.same(access?.chosenSafeIds, [safeId])
  await app.oauth.connections.revoke(account!.id, access?.connectionId ?? '')
  const connections = JSON.parse((await runHere(folder, ['connection', 'list', '--json'])).stdout)
  t.match(connections, [{ account: 'ann@example.com', chosenSafeId: safeId }])
  t.equal((await runHere(folder, ['connection', 'revoke', connections[0].id, '--yes'])).code, 0)
  t.equal((await runHere(folder, ['connection', 'list'])).stdout, '')
})

t.test('a relation is marked as having one value at a time, and unmarked', async t => {
  const { place, svc: run, safe } = await openInstallation(t)
  const dated = 'subject,predicate,object,valid_from\nAda,lives in,Rome,2015\nAda,lives in,Bern,2020\n'
  const file = join(place, 'people.csv')
  writeFileSync(file, dated)
  t.match(await run('safe', 'import', safe, file), { code: 0 })
  const singleValued = (...rest: string[]) => run('safe', 'single-valued', safe, ...rest)
  t.match(await singleValued('livesIn'), {
    code: 0,
    stdout: '',
    stderr: /“lives in” has one value at a time/,
  })
  t.match(await singleValued(), { code: 0, stdout: 'lives in\n' })
  t.match(await singleValued('--json'), { code: 0, stdout: /"relation": "lives in"/ })
  t.match(await run('ask', safe, 'Ada'), { code: 0, stdout: /Rome \(2015 – 2020, superseded\)/ })
  const then = await run('ask', safe, 'Ada', '--as-of', '2018')
  t.match(then, { code: 0, stdout: /Rome/ })
  t.notMatch(then.stdout, /Bern/)
  t.match(await singleValued('--off'), { code: 2, stderr: /Name the relation/ })
  t.match(await singleValued('lives in', '--off'), { code: 0, stderr: /can have several values/ })
  t.match(await singleValued(), { code: 0, stdout: '' })
  t.match(await singleValued(' '), { code: 1, stderr: /1 to 1,000 characters/ })
})

t.test(
  'a usage error exits with 2 and prints the usage; a refused command exits with 1 (DESIGN §5.12)',
  async t => {
    const folder = dataDir(t)
    await runHere(folder, ['migrate'])
    const cases: [string[], 1 | 2, RegExp][] = [
      [['nonsense'], 2, /unknown command 'nonsense'\nUsage: svc /],
      [['saf', 'list'], 2, /unknown command 'saf'\n\(Did you mean safe\?\)/],
      [['safe'], 2, /\n {2}import \[options\] <safe> <file> /],
      [['safe', 'exprot', 'x'], 2, /\(Did you mean export\?\)/],
      [['safe', 'import', 'x'], 2, /argument 'file'\nUsage: svc safe import \[options\] <safe> <file>\n$/],
      [['safe', 'import', 'x', '-'], 2, /requires --format\.\nUsage: svc safe import/],
      [['safe', 'list', '--jsno'], 2, /\(Did you mean --json\?\)\nUsage: svc safe list \[options\]\n$/],
      [['safe', 'list', '--version'], 2, /unknown option/],
      [['safe', 'add', 'x'], 1, /no account yet/],
      [['safe', 'share', 'x', 'a@example.com', '--role', 'king'], 2, /Allowed choices are reader, owner/],
      [['safe', 'undo', 'x', 'first'], 2, /Expected a number as listed by svc safe imports/],
      [['ask', 'x', 'y', '--mode', 'guess'], 2, /Allowed choices are search, entity, path/],
      [['connection', 'token', 'a@example.com', '--days', 'few'], 2, /a number from 1 to 90/],
      [['connection', 'token', 'a@example.com', '--write'], 2, /--write needs --api/],
      [['move'], 2, /--to <url>' not specified/],
      [['move', '--to', 'mysql://x'], 2, /postgres:\/\/user@host/],
      [['help', 'nonsense'], 2, /Usage: svc/],
      [['ask', 'a\0b'], 2, /NUL/],
      [['account', 'add', 'a@example.com'], 2, /--password-stdin/],
      [['safe', 'add', 'x', '--owner', 'nobody@example.com'], 1, /no account/],
      [['ask', 'nowhere', 'what?'], 1, /no Safe/],
      [['ask', 'nowhere', 'what?', 'really?'], 2, /Expected 2 arguments but got 3/],
      [['safe', 'sample'], 1, /account add/],
    ]
    for (const [args, code, stderr] of cases) {
      t.match(await runHere(folder, args), { code, stdout: '', stderr }, args.join(' '))
    }
    const config = await runHere(folder, ['config', '--json'])
    t.match(config.code, 0)
    t.match(JSON.parse(config.stdout), [{ name: 'BASE_URL' }])
  },
)

t.test('help and the version go to standard output (UX: the command line)', async t => {
  const folder = dataDir(t)
  const cases: [string[], RegExp][] = [
    [[], /^Usage: svc \[options\] \[command\]/],
    [['help'], /\n {2}safe .*import.*\n {2}ask \[options\] <safe> \[question\] /s],
    [['--help'], /\nRun the service:\n.*\nFill and ask Safes:\n.*\nExamples:\n/s],
    [['help', 'safe'], /^Usage: svc safe .*\n {2}undo \[options\] <safe> <import> /s],
    [['help', 'safe', 'import'], /^Usage: svc safe import .*Examples:/s],
    [['safe', 'help', 'import'], /^Usage: svc safe import /],
    [['ask', '--help'], /^Usage: svc ask .*--other-words <words> .*--json/s],
    [['ask', '-h'], /^Usage: svc ask /],
    [['--version'], new RegExp(`^${version.replaceAll('.', '\\.')}\n$`)],
  ]
  for (const [args, stdout] of cases)
    t.match(await runHere(folder, args), { code: 0, stdout, stderr: '' }, args.join(' '))
  for (const args of [['help'], ['help', 'safe'], ['help', 'safe', 'sync']]) {
    const { stdout } = await runHere(folder, args)
    t.same(
      stdout.split('\n').filter(line => line.length > 80),
      [],
      'fits into 80 columns',
    )
  }
})

t.test(
  'svc status says what is here, and lists have headings on a terminal only (UX, the command line)',
  async t => {
    const folder = dataDir(t)
    await runHere(folder, ['account', 'add', 'ann@example.com', '--password-stdin'], password)
    t.match(await runHere(folder, ['safe', 'add', 'Harbour']), { code: 0, stdout: /^\w{22}\n$/ })
    const env = { PORT: '1' }
    const { stdout } = await runHere(folder, ['status', '--json'], '', env)
    t.match(JSON.parse(stdout), {
      version,
      data: folder,
      server: 'not running on port 1',
      accounts: 1,
      safes: 1,
    })
    t.match(await runHere(folder, ['status'], '', env), { stdout: /^version\t.*\nsafes\t1\n/s })
    t.match(await onTerminal(folder, ['account', 'list'], '', { NO_COLOR: '1' }), {
      stdout: /^ID\tEMAIL\tROLE\n/,
    })
  },
)

t.test('commands that need an installation do not make one (UX, the command line)', async t => {
  const folder = join(dataDir(t), 'nothing')
  const commands = [
    ...[
      'account list',
      'safe list',
      'safe add x --owner a@example.com',
      'ask x y',
      'backup -',
      'safe import x - --format text',
    ],
    ...['connection list', 'move --to postgres://x', 'backup file'],
  ]
  for (const command of commands) {
    const { code, stderr } = await runHere(folder, command.split(' '))
    t.equal(code, 1, command)
    t.match(stderr, /There is no installation in .*nothing\. .*DATA_DIR.*svc account add/)
  }
  t.notOk(existsSync(folder))
})

t.test('svc account reset prints a link that sets a password once', async t => {
  const folder = dataDir(t)
  const app = await build(t, { env: { DATA_DIR: folder } })
  const ann = await app.accounts.add('ann@example.com', password.trim())
  const { code, stdout, stderr } = await runHere(folder, ['account', 'reset', 'Ann@example.com'])
  t.match({ code, stderr }, { code: 0, stderr: /Send this link to ann@example\.com only/ })
  const token = /^http:\/\/localhost:3000\/reset\?token=(\w{43})\n$/.exec(stdout)?.[1] ?? ''
  const reset = await app.accounts.passwords.reset(token, 'a new password of Ann')
  t.equal(reset.id, ann.id)
  await t.rejects(app.accounts.passwords.reset(token, 'another password of Ann'), { code: 'link_used' })
  t.match(await runHere(folder, ['account', 'reset', 'nobody@example.com']), { code: 1, stdout: '' })
})

t.test('svc account add refuses a common password in words', async t => {
  const args = ['account', 'add', 'ann@example.com', '--password-stdin']
  t.match(await runHere(dataDir(t), args, 'password1234\n'), { code: 1, stdout: '', stderr: /most common/ })
})
