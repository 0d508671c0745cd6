import t, { type Test } from 'tap'
import { openBuiltServer } from '../../integration/cli/remote.js'
import { openVault } from '../../integration/cli/vault.js'
import { openCutProxy } from './cut-proxy.js'

t.test('many small files and a large one arrive, and only what has changed is sent', async t => {
  const proxy = await openCutProxy(t)
  const { machine, folder, write } = await open(t, proxy)
  for (let at = 0; at < 1_200; at++) write(`part ${at % 7}/Note ${at}.md`, `Beside [[Note ${at + 1}]].\n`)
  write('Large.md', `The beginning.\n\n${`${'word '.repeat(200)}\n\n`.repeat(6_000)}The end is blue.\n`)
  const sync = () => machine.svc('safe', 'sync', 'Notes', folder)
  // In the middle of the large file, which is sent in pieces.
  proxy.at(5_000_000, () => proxy.cut())
  t.match(await sync(), { code: 0, stderr: /: 1,201 files added\./ })
  t.match(await machine.svc('safe', 'export', 'Notes', '--format', 'jsonl'), { stdout: /The end is blue/ })
  write('part 1/Note 1.md', 'Beside [[Note 7]] and changed.')
  let sent = false
  // The list of files alone is shorter than this.
  proxy.at(400_000, () => {
    sent = true
  })
  t.match(await sync(), { code: 0, stderr: /: 1 file changed\./ })
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
  const restarted = new Promise<void>(resolve => proxy.at(3_000_000, () => resolve(server.restart())))
  const run = machine.svc('safe', 'sync', 'Notes', folder)
  await restarted
  t.match((await server.there('ask', 'Notes', 'Which word is it?')).stdout, /The word is before/)
  t.match(await run, { code: 0, stderr: /1,500 files added, 1 file changed/ })
  t.match((await machine.svc('ask', 'Notes', 'Which word is it?')).stdout, /The word is after/)
})

t.test('Ctrl-C gives the run up, so that the next one need not wait', async t => {
  const proxy = await openCutProxy(t)
  const { machine, folder, write } = await open(t, proxy)
  for (let at = 0; at < 1_500; at++)
    write(`part ${at % 7}/Note ${at}.md`, `Beside ${at}: ${'x'.repeat(3_000)}.\n`)
  const { child, ended } = await machine.start('safe', 'sync', 'Notes', folder)
  proxy.at(3_000_000, () => child.kill('SIGINT'))
  t.match(await ended, { code: null, stdout: '' })
  t.match(await machine.svc('safe', 'list'), { stdout: /Notes\t0\t0\t0/ })
  t.match(await machine.svc('safe', 'sync', 'Notes', folder), { code: 0, stderr: /: 1,500 files added/ })
})

async function open(t: Test, proxy: Awaited<ReturnType<typeof openCutProxy>>) {
  const server = await openBuiltServer(t, proxy.url)
  proxy.to = server.port
  return openVault(t, server)
}
