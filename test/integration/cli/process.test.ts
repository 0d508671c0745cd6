import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startServer } from '../../built-server.js'
import { build, dataDir } from '../../helper.js'
import { builtFolder } from '../../servers.js'
import { runHere, svc } from './svc.js'

t.test('the built command exits with 2 after a usage error, and prints its help (DESIGN §5.12)', async t => {
  const folder = dataDir(t)
  const [wrong, help] = await Promise.all([svc(folder, ['nonsense']), svc(folder, ['ask', '--help'])])
  t.equal(wrong.code, 2)
  t.match(help, { code: 0, stdout: /^Usage: svc ask/ })
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
  // In parallel: none of them writes.
  await Promise.all([
    typed('something else\r', 'some other\r').then(shown => t.match(shown, /do not match\..*exit 1/s)),
    ...['\x03', '\x04', 'half\x03'].map(async stop =>
      t.match(await typed(stop), /Password: \r\nStopped\.\r\nexit 1/, JSON.stringify(stop)),
    ),
  ])
  const shown = await typed(`${password}\r`, `${password}\r`)
  t.match(shown, /Password: \r\nAgain: \r\n.*exit 0/s)
  t.notMatch(shown, /horse/)
  const app = await build(t, { env: { DATA_DIR: folder } })
  t.ok(await app.accounts.passwords.signIn('ann@example.com', 'correct horse battery', '127.0.0.1'))
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

t.test('commands find the server that runs on the data folder, on whatever port', async t => {
  const folder = dataDir(t)
  const server = await startServer(t, await builtFolder(), { DATA_DIR: folder, NODE_ENV: 'test' })
  const { stdout } = await svc(folder, ['status', '--json'])
  t.match(JSON.parse(stdout), {
    address: `http://localhost:${server.port}`,
    server: `running on port ${server.port}`,
  })
  t.notMatch((await svc(folder, ['doctor'])).stdout, 'localhost:3000')
  const named = await runHere(folder, ['status', '--json'], '', { PORT: '1' })
  t.match(JSON.parse(named.stdout), { server: 'not running on port 1' })
  await server.stop('SIGTERM')
  const after = await svc(folder, ['status', '--json'])
  t.match(JSON.parse(after.stdout), { address: 'http://localhost:3000' })
})

t.test('an old Node.js gets a sentence from the server and from svc', async t => {
  const old = join(dataDir(t), 'old.cjs')
  const versions = `{ ...process.versions, node: '18.19.0' }`
  writeFileSync(old, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
  for (const file of ['server.js', 'cli.js']) {
    const path = join(await builtFolder(), 'dist', file)
    const { status, stderr } = spawnSync(process.execPath, ['-r', old, path, 'help'], { encoding: 'utf8' })
    t.equal(status, 1)
    t.equal(
      stderr,
      'svc needs Node.js 20.12 or newer, and this is 18.19.0. Install it from https://nodejs.org.\n',
    )
  }
})
