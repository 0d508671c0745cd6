import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openCutProxy } from './cut-proxy.js'
import { openMachine, openServer } from './remote.js'

t.test('svc safe sync keeps a Safe on a server in step, as it does beside the service', async t => {
  const { server, machine, folder, write } = await open(t)
  const sync = (...options: string[]) => machine.svc('safe', 'sync', 'Notes', folder, ...options)
  write('Ada.md', 'Knows [[Babbage]].')
  write('.obsidian/app.json', '{}')
  t.match(await sync(), {
    code: 0,
    stdout: '1\n',
    stderr: /Left out: 1 hidden\.\n“Notes” is in step with “vault”: 1 added\.\n$/,
  })
  t.match(await machine.svc('ask', 'Notes', 'Whom does Ada know?'), { stdout: /Ada — links to → Babbage/ })
  t.match(await sync(), { code: 0, stdout: '', stderr: /Nothing has changed in “vault”/ })
  const beside = await server.there('safe', 'sync', 'Notes', folder)
  t.match(beside, { code: 0, stdout: '', stderr: /Nothing has changed/ }, 'it is the same folder there')
  renameSync(join(folder, 'Ada.md'), join(folder, 'Lovelace.md'))
  t.match(JSON.parse((await sync('--json')).stdout), { renamed: 1, added: 0, removed: 0, run: 2 })
  write('Bad.md', '---\nnever: ends')
  write('Lovelace.md', 'Knows [[Byron]].')
  t.match(await sync(), {
    code: 1,
    stderr: /Bad\.md, line 1: The front matter never ends\.[\s\S]*1 changed\.\n1 file could not be read/,
  })
  t.match(await machine.svc('ask', 'Notes', 'Byron'), { stdout: /Lovelace — links to → Byron/ })
  t.match(await server.there('safe', 'undo', 'Notes', '3'), { code: 0 })
  t.match(await machine.svc('ask', 'Notes', 'Lovelace'), { stdout: /Lovelace — links to → Babbage/ })
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  t.match(await sync(), { code: 1, stderr: /would remove 1 of 1 files of “vault”.*--yes/ })
  t.match(await sync('--yes'), { code: 0, stderr: /: 1 removed/ })
  t.match(await machine.svc('safe', 'list'), { stdout: /Notes\t0\t0\t0/ })
  const moved = join(machine.home, 'elsewhere', 'vault')
  mkdirSync(moved, { recursive: true })
  const elsewhere = await machine.svc('safe', 'sync', 'Notes', moved)
  t.match(elsewhere, { code: 1, stderr: /is the folder .*vault.*--yes.*--name/ })
})

t.test('many small files and a large one arrive, and only what has changed is sent', async t => {
  const proxy = await openCutProxy(t)
  const { machine, folder, write } = await open(t, proxy)
  for (let at = 0; at < 1_200; at++) write(`part ${at % 7}/Note ${at}.md`, `Beside [[Note ${at + 1}]].\n`)
  write('Large.md', `The beginning.\n\n${`${'word '.repeat(200)}\n\n`.repeat(6_000)}The end is blue.\n`)
  const sync = () => machine.svc('safe', 'sync', 'Notes', folder)
  // In the middle of the large file, which is sent in pieces.
  proxy.at(5_000_000, () => proxy.cut())
  t.match(await sync(), { code: 0, stderr: /: 1,201 added\./ })
  t.match(await machine.svc('safe', 'export', 'Notes', '--format', 'jsonl'), { stdout: /The end is blue/ })
  write('part 1/Note 1.md', 'Beside [[Note 7]] and changed.')
  let sent = false
  // The list of files alone is below this.
  proxy.at(400_000, () => {
    sent = true
  })
  t.match(await sync(), { code: 0, stderr: /: 1 changed\./ })
  t.notOk(sent, 'the others stayed here')
})

t.test('a server that is killed during a run shows the last state, and the run goes on', async t => {
  const proxy = await openCutProxy(t)
  const { server, machine, folder, write } = await open(t, proxy)
  write('Start.md', 'The word is before.')
  await machine.svc('safe', 'sync', 'Notes', folder)
  write('Start.md', 'The word is after.')
  for (let at = 0; at < 1_500; at++)
    write(`part ${at % 7}/Note ${at}.md`, `Beside ${at}: ${'x'.repeat(3_000)}.\n`)
  let restarted: Promise<void> | undefined
  proxy.at(3_000_000, () => {
    restarted = server.restart()
  })
  const { child, ended, printed } = machine.start('safe', 'sync', 'Notes', folder)
  while (!restarted) {
    if (child.exitCode !== null) throw new Error(printed.stderr)
    await pause(20)
  }
  await restarted
  t.match((await server.there('ask', 'Notes', 'Which word is it?')).stdout, /The word is before/)
  t.match(await ended, { code: 0, stderr: /1,500 added, 1 changed/ })
  t.match((await machine.svc('ask', 'Notes', 'Which word is it?')).stdout, /The word is after/)
})

t.test('Ctrl-C gives the run up, so that the next one need not wait', async t => {
  const proxy = await openCutProxy(t)
  const { machine, folder, write } = await open(t, proxy)
  for (let at = 0; at < 1_500; at++)
    write(`part ${at % 7}/Note ${at}.md`, `Beside ${at}: ${'x'.repeat(3_000)}.\n`)
  const { child, ended } = machine.start('safe', 'sync', 'Notes', folder)
  proxy.at(3_000_000, () => child.kill('SIGINT'))
  t.match(await ended, { code: null, stdout: '' })
  t.match(await machine.svc('safe', 'list'), { stdout: /Notes\t0\t0\t0/ })
  t.match(await machine.svc('safe', 'sync', 'Notes', folder), { code: 0, stderr: /: 1,500 added/ })
})

t.test('--watch follows the folder, survives a restart of the server, and ends with the sign-in', async t => {
  const { server, machine, folder, write } = await open(t)
  write('Ada.md', 'The first word.')
  const { child, ended, printed } = machine.start('safe', 'sync', 'Notes', folder, '--watch')
  const says = async (word: string, text: RegExp) => {
    while (!text.test((await server.there('ask', 'Notes', word)).stdout)) {
      if (child.exitCode !== null) throw new Error(printed.stderr)
      await pause(100)
    }
    t.pass(word)
  }
  await says('first', /The first word/)
  write('new/folder/Byron.md', 'The second word.')
  await says('second', /The second word/)
  await server.restart()
  write('Ada.md', 'The third word.')
  await says('third', /The third word/)
  const [connection] = JSON.parse((await server.there('connection', 'list', '--json')).stdout)
  await server.there('connection', 'revoke', connection.id)
  write('Ada.md', 'The fourth word.')
  t.match(await ended, {
    code: 1,
    stderr: /is in step with “vault”: 1 changed\.[\s\S]*The sign-in at .* has ended/,
  })
})

async function open(t: Test, proxy?: Awaited<ReturnType<typeof openCutProxy>>) {
  const server = await openServer(t, {}, { behind: proxy?.url ?? null })
  if (proxy) proxy.to = server.process.port
  const machine = await openMachine(t)
  const done = await machine.login(server.url)
  if (done.code !== 0) throw new Error(done.stderr)
  const folder = join(machine.home, 'vault')
  mkdirSync(folder)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { server, machine, folder, write }
}
