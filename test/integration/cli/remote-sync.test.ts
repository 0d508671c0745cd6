import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { writeAccepted } from '../../../cli/accepted-notes.js'
import { dataDir } from '../../data-dir.js'
import { openMachine, openServer } from './remote.js'
import type { Outcome } from './svc.js'
import { openInstallation, openVault, vaultIn } from './vault.js'

type Run = (...args: string[]) => Promise<Outcome>

/** Keeps a Safe in step with a folder by `svc`. `beside`: on the machine of the server. */
async function keepInStep(
  t: Test,
  { folder, write }: ReturnType<typeof vaultIn>,
  svc: Run,
  beside: Run | null,
): Promise<void> {
  const sync = (...options: string[]) => svc('safe', 'sync', 'Notes', folder, ...options)
  write('Ada.md', 'Knows [[Babbage]].')
  write('.obsidian/app.json', '{}')
  t.match(await sync(), {
    code: 0,
    stdout: '1\n',
    stderr: /Left out: 1 hidden\.\n“Notes” is in step with “vault”: 1 file added\.\n$/,
  })
  t.match(await svc('ask', 'Notes', 'Whom does Ada know?'), { stdout: /Ada — links to → Babbage/ })
  t.match(await sync(), { code: 0, stdout: '', stderr: /Nothing has changed in “vault”/ })
  if (beside)
    t.match(await beside('safe', 'sync', 'Notes', folder), { stdout: '', stderr: /Nothing has changed/ })
  for (const settings of ['{"strictLineBreaks":true}', '{}']) {
    write('.obsidian/app.json', settings)
    t.match(
      await sync(),
      { code: 0, stderr: /: 1 file read again because of links or line breaks\.\n$/ },
      settings,
    )
    t.match(await sync(), { code: 0, stderr: /Nothing has changed/ }, settings)
  }
  renameSync(join(folder, 'Ada.md'), join(folder, 'Lovelace.md'))
  t.match(JSON.parse((await sync('--json')).stdout), { renamed: 1, added: 0, removed: 0, run: 4 })
  write('Bad.md', 'a\0b')
  write('Odd.md', '---\nnever: ends')
  write('Lovelace.md', 'Knows [[Byron]].')
  t.match(await sync(), {
    code: 1,
    stderr:
      /Bad\.md, line 1: .* NUL [\s\S]*Odd\.md, line 1: The front matter never ends[\s\S]*1 file added, 1 file changed\.\n1 file could not be read/,
  })
  t.match(await svc('ask', 'Notes', 'What never ends?'), { stdout: /never: ends/ })
  t.match(await svc('ask', 'Notes', 'Byron'), { stdout: /Lovelace — links to → Byron/ })
  t.match(await (beside ?? svc)('safe', 'undo', 'Notes', '5', '--yes'), { code: 0 })
  t.match(await svc('ask', 'Notes', 'Lovelace'), { stdout: /Lovelace — links to → Babbage/ })
  rmSync(folder, { recursive: true })
  t.match(await sync(), { code: 1, stderr: /There is no folder/ })
  mkdirSync(folder)
  t.match(await sync(), { code: 1, stderr: /would remove 1 of 1 files of “vault”.*--yes/ })
  t.match(await sync('--yes'), { code: 0, stderr: /: 1 file removed/ })
  t.match(await svc('safe', 'list'), { stdout: /Notes\t0\t0\t0/ })
}

t.test('svc safe sync keeps a Safe beside the service in step', async t => {
  const { svc } = await openInstallation(t)
  await keepInStep(t, vaultIn(dataDir(t)), svc, null)
})

t.test('svc safe sync keeps a Safe on a server in step, as it does beside the service', async t => {
  const { server, machine, ...vault } = await openVault(t, await openServer(t))
  await keepInStep(t, vault, machine.svc, server.there)
  const moved = join(machine.home, 'elsewhere', 'vault')
  mkdirSync(moved, { recursive: true })
  const elsewhere = await machine.svc('safe', 'sync', 'Notes', moved)
  t.match(elsewhere, { code: 1, stderr: /is the folder .*vault on .*--name.*--yes/ })
})

t.test(
  'R10 --accept-notes writes accepted notes and edits into the folder, never over a changed file',
  async t => {
    const { server, machine, folder, write } = await openVault(t, await openServer(t))
    const { app } = server
    const sync = (...options: string[]) =>
      machine.svc('safe', 'sync', 'Notes', folder, '--accept-notes', 'Ideas', ...options)
    write('Plan.md', 'Buy rope.\n')
    write('Other.md', 'As it was.\n')
    t.match(await sync(), { code: 0, stderr: /2 files added/ })
    const [{ safe, ownerId } = { safe: { id: '' }, ownerId: '' }] = await app.safes.named('Notes')
    const { notes, documents } = app.safes
    const versionOf = async (path: string) => (await documents.find(ownerId, safe.id, path)).contentHash
    const edit = async (path: string, text: string) =>
      notes.write(ownerId, safe.id, [{ path, text, version: await versionOf(path) }])
    const add = (path: string) =>
      notes.write(ownerId, safe.id, [{ path, text: `About ${path}.`, version: null }])
    await edit('Plan.md', 'Buy rope and tar.\n')
    for (const path of ['Ideas/Boat.md', 'Elsewhere/Boat.md']) await add(path)
    t.match(await sync(), {
      code: 0,
      stderr:
        /Written from “Notes”: Ideas\/Boat\.md\nWritten from “Notes”: Plan\.md\n[\s\S]*1 file added, 1 file changed/,
    })
    const read = (path: string) => readFileSync(join(folder, path), 'utf8')
    t.equal(read('Plan.md'), 'Buy rope and tar.\n')
    t.equal(read('Ideas/Boat.md'), 'About Ideas/Boat.md.\n')
    t.throws(() => read('Elsewhere/Boat.md'), { code: 'ENOENT' })
    t.match(await sync(), { code: 0, stderr: /^Nothing has changed/m })
    await edit('Other.md', 'As accepted.\n')
    write('Other.md', 'As changed here.\n')
    t.match(await sync(), { code: 0, stderr: /Conflict: Other\.md has changed here and in “Notes”\./ })
    t.equal(read('Other.md'), 'As changed here.\n')
    t.strictSame(
      readdirSync(folder).filter(name => name.includes('tmp')),
      [],
    )
  },
)

t.test('R10 what another machine names stays in the folder', async t => {
  const { folder, write } = vaultIn(dataDir(t))
  const outside = dataDir(t)
  symlinkSync(outside, join(folder, 'linked'))
  write('Mine.md', 'Mine.')
  const note = { text: 'x', hash: 'h', before: null }
  const paths = [
    '../out.md',
    'a/../../out.md',
    '/out.md',
    'linked/out.md',
    'linked/new/out.md',
    '.git/a.md',
    'run.sh',
    'Mine.md',
  ]
  const { written, conflicts } = await writeAccepted(
    folder,
    (async function* () {
      for (const path of paths) yield { ...note, path }
    })(),
  )
  t.strictSame([written, conflicts.length], [[], paths.length])
  t.strictSame([readdirSync(outside), readdirSync(folder).sort()], [[], ['Mine.md', 'linked']])
})

t.test('the same folder on a second machine is not synced before somebody agrees', async t => {
  const { server, machine, folder, write } = await openVault(t, await openServer(t))
  const desk = openMachine(t)
  await desk.login(server.url)
  const file = join(desk.home, 'config', 'svc', 'servers.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), machine: 'desk' }))
  const sync = (on: typeof machine, ...options: string[]) =>
    on.svc('safe', 'sync', 'Notes', folder, ...options)
  write('Ada.md', 'Knows [[Babbage]].')
  t.match(await sync(machine), { code: 0 })
  write('Ada.md', 'Knows [[Byron]].')
  t.match(await sync(desk), { code: 1, stderr: /vault on .*Nothing was changed.*on two machines/ })
  t.match(await sync(desk, '--yes'), { code: 0, stderr: /1 file changed/ })
  t.match(await sync(machine), { code: 1, stderr: /vault on desk\. Nothing was changed/ })
})

t.test('--watch follows the folder, survives a restart of the server, and ends with the sign-in', async t => {
  const { server, machine, folder, write } = await openVault(t, await openServer(t))
  write('Ada.md', 'The first word.')
  const { child, ended, printed } = await machine.start('safe', 'sync', 'Notes', folder, '--watch')
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
  await server.there('connection', 'revoke', connection.id, '--yes')
  write('Ada.md', 'The fourth word.')
  t.match(await ended, {
    code: 1,
    stderr: /is in step with “vault”: 1 file changed\.[\s\S]*The sign-in at .* has ended/,
  })
})
