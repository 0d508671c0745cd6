import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { version } from '../../../common/package.js'
import { build, dataDir } from '../../helper.js'
import { builtFolder } from '../../servers.js'
import { people } from '../safes/open.js'
import { onTerminal, runHere, svc } from './svc.js'
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
  t.match(imported, { code: 0, stdout: '1\n', stderr: /21 entities, 20 relations, 0 passages/ })
  const answer = await app.safes.questions.ask(account!.id, safeId, { query: 'Whom does Person 3 know?' })
  t.match(answer.facts, [{ object: 'Person 4' }], 'the server sees it at once')

  const asked = await runHere(folder, ['ask', 'People', 'Whom does Person 3 know?'])
  t.match(asked, {
    code: 0,
    stdout: /Source: "people\.nt"\.\nRecognized: Person 3\.\nPerson 3 — knows → Person 4/,
  })

  const path = ['ask', 'People', '--from', 'Person 3', '--to', 'Person 5', '--limit', '2']
  t.match(await runHere(folder, path), { code: 0, stdout: /Person 3 — knows → Person 4 — knows → Person 5/ })
  const ranged = ['ask', 'People', 'Person 3', '--since', '2026-05-01', '--until', '2026-05-31']
  t.match(await runHere(folder, ranged), { code: 0, stdout: /no passage of this Safe has a time/ })
  const worded = ['ask', 'People', 'Who knows?', '--other-words', 'a, b, c, d', '--other-words', 'e, f, g']
  t.match(await runHere(folder, worded), { code: 0, stdout: /"other_words" takes at most 6 phrases/ })
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
    stderr: /Already there: 4 entities, 3 relations.*would add 0 entities/s,
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
    t.equal((await svc(folder, ['nonsense'])).code, 2, 'as a process too')
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
    [['--help'], /^Usage: svc /],
    [['help', 'safe'], /^Usage: svc safe .*\n {2}undo \[options\] <safe> <import> /s],
    [['safe', 'help', 'import'], /^Usage: svc safe import /],
    [['ask', '--help'], /^Usage: svc ask .*--other-words <words> .*--json/s],
    [['ask', '-h'], /^Usage: svc ask /],
    [['--version'], new RegExp(`^${version.replaceAll('.', '\\.')}\n$`)],
  ]
  for (const [args, stdout] of cases)
    t.match(await runHere(folder, args), { code: 0, stdout, stderr: '' }, args.join(' '))
  t.match(await svc(folder, ['ask', '--help']), { code: 0, stdout: /^Usage: svc ask/ }, 'as a process too')
})

t.test('the server does not load what only the command line needs', async t => {
  const dist = join(await builtFolder(), 'dist')
  const loaded = (file: string, known = new Set<string>()): Set<string> => {
    if (known.has(file)) return known
    known.add(file)
    const parts = readFileSync(join(dist, file), 'utf8').matchAll(/"\.\/(part-\w+\.js)"/g)
    for (const [, part = ''] of parts) loaded(part, known)
    return known
  }
  const hasCommander = (entry: string) =>
    [...loaded(entry)].some(file =>
      readFileSync(join(dist, file), 'utf8').includes('commander.unknownCommand'),
    )
  t.ok(hasCommander('cli.js'))
  t.notOk(hasCommander('server.js'))
})

t.test('a password is typed twice on a terminal, which does not show it', async t => {
  const folder = dataDir(t)
  const cli = join(await builtFolder(), 'dist', 'cli.js')
  const typed = async (...lines: string[]) => {
    // `script` gives the command a terminal of its own.
    const command = `'${process.execPath}' '${cli}' account add ann@example.com; echo "exit $?"`
    const env = { PATH: process.env.PATH, DATA_DIR: folder, SHELL: '/bin/sh' }
    const child = spawn('script', ['-qfc', command, '/dev/null'], { env })
    let shown = ''
    let answered = 0
    child.stdout.on('data', chunk => {
      shown += chunk
      const asked = shown.match(/(Password|Again): /g)?.length ?? 0
      if (asked > answered) child.stdin.write(lines[answered++] ?? '')
    })
    await once(child, 'close')
    return shown
  }
  const password = 'correct horse batterz\x7fy'
  t.match(await typed('something else\r', 'some other\r'), /do not match\..*exit 1/s)
  for (const stop of ['\x03', '\x04', 'half\x03'])
    t.match(await typed(stop), /Password: \r\nStopped\.\r\nexit 1/, JSON.stringify(stop))
  const shown = await typed(`${password}\r`, `${password}\r`)
  t.match(shown, /Password: \r\nAgain: \r\n.*exit 0/s)
  t.notMatch(shown, /horse/)
  const app = await build(t, { env: { DATA_DIR: folder } })
  t.ok(await app.accounts.passwords.signIn('ann@example.com', 'correct horse battery', '127.0.0.1'))
})

t.test('what was removed is listed and restored (ADR 45)', async t => {
  const { svc: here } = await openInstallation(t)
  const safeId = (await here('safe', 'sample', '--owner', 'ann@a.example')).stdout.trim()
  const name = 'Lighthouse cooperative'
  t.match(
    await here('safe', 'undo', safeId, '1', '--yes'),
    { code: 0, stderr: /is undone/ },
    'no terminal, no question',
  )
  const undone = await here('safe', 'imports', safeId, '--undone')
  t.match(undone.stdout, /^1\tlighthouse-cooperative\.jsonl\t\d{4}-\d\d-\d\dT[\d:.]+Z\n$/)
  t.equal((await here('safe', 'imports', safeId)).stdout, '')
  t.match(await here('safe', 'restore', name, '1'), { code: 0, stderr: /Import 1 of .* is restored/ })
  t.match((await here('safe', 'imports', safeId)).stdout, /^1\tcommitted\t/)
  t.match(await here('safe', 'restore', name, '1'), { code: 1, stderr: /import/ })

  const removed = await here('safe', 'remove', name, '--yes')
  t.match(removed, { code: 0, stderr: new RegExp(`To restore it: svc safe restore ${safeId}`) })
  t.match(await here('ask', safeId, 'Who?'), { code: 1, stderr: /no Safe/ })
  t.match((await here('safe', 'removed')).stdout, new RegExp(`^${safeId}\t${name}\t\\d{4}-`))
  t.match(JSON.parse((await here('safe', 'removed', '--json')).stdout), [
    { id: safeId, counts: { entities: 46 } },
  ])
  t.match(await here('safe', 'restore', 'nothing'), { code: 1, stderr: /no removed Safe/ })
  t.match(await here('safe', 'restore', name), { code: 0, stderr: /Restored the Safe/ })
  t.match((await here('ask', safeId, 'Who leads the Lens Restoration?')).stdout, /Lindqvist/)
})

t.test('what removes asks on a terminal, unless --yes is given', async t => {
  const folder = dataDir(t)
  await runHere(folder, ['account', 'add', 'ann@example.com', '--password-stdin'], password)
  await runHere(folder, ['account', 'add', 'bob@example.com', '--password-stdin'], password)
  const safeId = (await runHere(folder, ['safe', 'sample', '--owner', 'bob@example.com'])).stdout.trim()
  const token = await runHere(folder, ['connection', 'token', 'bob@example.com'])
  const connection = token.stderr.match(/connection (\w+)/)?.[1] ?? ''
  const safes = async () => {
    const { stdout } = await runHere(folder, ['safe', 'list', '--json'])
    // Documents are counted while there is time (ADR 41).
    return JSON.parse(stdout).map(({ documents: _, ...safe }: { documents: number }) => safe)
  }
  const before = await safes()
  const questions: [string[], RegExp][] = [
    [
      ['safe', 'undo', safeId, '1'],
      /Undo import 1 of .*jsonl, 1 document, 46 entities, 91 relations, 51 passages/,
    ],
    [['safe', 'remove', safeId], /Remove the Safe .*46 entities, 91 relations, 51 passages/],
    [['safe', 'unshare', safeId, 'bob@example.com'], /Remove bob@example\.com from/],
    [['connection', 'revoke', connection], /End the connection of Command line\?/],
    [['account', 'remove', 'bob@example.com'], /Remove bob@example\.com and the Safes that nobody else owns/],
  ]
  for (const [args, question] of questions) {
    for (const answer of ['n', '', 'yesterday']) {
      const asked = await onTerminal(folder, args, `${answer}\n`)
      t.match(asked, { code: 1, stderr: question }, args.join(' '))
      t.match(asked.stderr, /\[y\/N\].*Nothing was changed\.\n$/s)
    }
    const piped = await runHere(folder, args, 'y\n')
    t.match(piped, { code: 2, stderr: question }, 'nobody can answer without a terminal')
    t.match(piped.stderr, /Say --yes to go on\. Nothing was changed\.\n$/)
  }
  t.same(await safes(), before)
  t.match(await onTerminal(folder, ['safe', 'undo', safeId, '1'], 'y\n'), { code: 0, stderr: /is undone/ })
  t.match(await onTerminal(folder, ['safe', 'remove', safeId, '-y'], ''), { code: 0, stderr: /^Removed/ })
  t.same(await safes(), [])
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

t.test('output that its reader does not read to the end is no error', async t => {
  const cli = join(await builtFolder(), 'dist', 'cli.js')
  const child = spawn(process.execPath, [cli, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let printed = ''
  child.stderr.on('data', chunk => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  t.same([code, printed], [0, ''])
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
