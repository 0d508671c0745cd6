import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { people } from '../safes/open.js'
import { type Machine, openMachine, openServer } from './remote.js'

t.test('list, ask, import and export print and write the same as beside the server', async t => {
  const { server, machine, file } = await open(t)
  const same = async (...args: string[]) => {
    const [here, there] = [await machine.svc(...args), await server.there(...args)]
    t.same(here, there, args.join(' '))
    return here
  }
  const imported = await machine.svc('safe', 'import', 'Notes', file('people.nt', people(20)))
  t.match(imported, {
    code: 0,
    stdout: '1\n',
    stderr: 'Imported 1 document, 21 things, 20 relations, 0 passages into “Notes”.\n',
  })
  t.match(await same('safe', 'import', 'Notes', file('people.nt', people(20))), { code: 0, stdout: '1\n' })
  await same('safe', 'list')
  await same('safe', 'list', '--json')
  t.match(await same('ask', 'Notes', 'Whom does Person 3 know?'), { stdout: /Person 3 — knows → Person 4/ })
  await same('ask', 'Notes', 'Whom does Person 3 know?', '--json')
  await same('ask', 'Notes', '--from', 'Person 3', '--to', 'Person 5', '--limit', '2')
  await same('ask', 'Notes', 'Who knows?', '--other-words', 'a, b', '--since', '2026-05-01')
  await same('ask', 'Notes')
  t.match(await same('ask', 'Notes', '--since', 'May'), { code: 1, stderr: /"since" is a date like/ })
  t.match(await machine.svc('ask', 'Nobody’s', 'What?'), {
    code: 1,
    stderr: /no Safe .* “Nobody’s”.*svc login/,
  })
  for (const format of ['jsonl', 'ntriples', 'csv']) {
    const { stdout } = await same('safe', 'export', 'Notes', '--format', format)
    t.ok(stdout.includes('Person 3'), format)
  }
  t.match(await same('safe', 'export', 'Notes', '--format', 'pdf'), { code: 1, stderr: /no export format/ })
  t.match(await same('safe', 'import', 'Notes', file('more.nt', people(30)), '--dry-run'), {
    code: 0,
    stdout: '',
    stderr:
      /^New: 1 document, 10 things, 10 relations.*It would add 1 document, 10 things.*Nothing was changed\.\n$/s,
  })
  t.match(await same('safe', 'import', 'Notes', file('people.nt', people(21)), '--dry-run'), {
    stderr: /^New: 1 thing, .*\nChanged: 1 document differs .*\nAlready there: 21 things/s,
  })
  t.match(await same('safe', 'import', 'Notes', file('bad.nt', 'no triple\n')), {
    code: 1,
    stderr: /line 1: /,
  })
  t.match(await same('safe', 'import', 'Notes', join(machine.home, 'missing.nt')), { code: 1 })
  t.match(await same('safe', 'list'), { stdout: /Notes\t21\t20\t0\t1\n/ }, 'refused files changed nothing')
})

t.test('a folder and standard input can be imported, too', async t => {
  const { server, machine, file } = await open(t)
  file('vault/Ada.md', 'Knows [[Babbage]].')
  file('vault/deeper/Babbage.md', 'Builds an engine.')
  file('vault/picture.png', 'No.')
  file('vault/.obsidian/app.json', '{}')
  t.match(await machine.svc('safe', 'import', 'Notes', join(machine.home, 'vault')), {
    code: 0,
    stdout: '1\n',
    stderr: /Imported 2 documents, 2 things, 1 relation, 2 passages into/,
  })
  const local = await server.there('safe', 'import', 'Notes', join(machine.home, 'vault'))
  t.match(local, { code: 0, stderr: /already contains this file, as import 1/ }, 'the same bytes')
  const spooled = () => readdirSync(tmpdir()).filter(name => /^svc-[^-]+$/.test(name)).length
  const before = spooled()
  const args = ['safe', 'import', 'Notes', '-', '--format', 'ntriples', '--json']
  const piped = machine.run(args, Readable.from([people(3)]))
  const { code, stdout } = await piped.ended
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { status: 'committed', source: 'standard input', badLineCount: 0 })
  t.equal(spooled(), before, 'its copy is removed')
})

t.test('without the permission to fill, a command says how to get it', async t => {
  const { machine, file, server } = await open(t, { scopes: ['vault:read'] })
  const refused = { code: 1, stdout: '', stderr: /You did not allow svc to add and replace files.*svc login/ }
  t.match(await machine.svc('safe', 'import', 'Notes', file('people.nt', people(3))), refused)
  file('vault/Ada.md', 'Text.')
  t.match(await machine.svc('safe', 'sync', 'Notes', join(machine.home, 'vault')), refused)
  t.match(await machine.svc('safe', 'list'), { code: 0, stdout: /Notes\t0\t0\t0/ })
  t.equal((await server.there('safe', 'imports', 'Notes')).stdout, '')
})

async function open(t: Test, choice = {}) {
  const server = await openServer(t)
  const machine = openMachine(t)
  const done = await machine.login(server.url, choice)
  if (done.code !== 0) throw new Error(done.stderr)
  return { server, machine, file: writer(machine) }
}

/** Writes a file below the machine's home and returns its path. */
const writer =
  ({ home }: Machine) =>
  (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
    return join(home, path)
  }
