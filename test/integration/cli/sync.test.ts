import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { contentsOf } from '../../../cli/synced-folder.js'
import { dataDir } from '../../helper.js'
import { runHere, start } from './svc.js'

t.test('hidden, ignored, large and foreign files and links are left out and counted', async t => {
  const { folder, write } = vault(t)
  write('.gitignore', 'build/\n*.draft.md\n!kept.draft.md\n')
  write('note.md', 'Text.')
  write('build/out.md', 'No.')
  write('a.draft.md', 'No.')
  write('kept.draft.md', 'Yes.')
  write('sub/.gitignore', '/secret.md\n!*.draft.md')
  write('sub/secret.md', 'No.')
  write('sub/b.draft.md', 'Yes: the inner rules decide.')
  write('sub/deeper/secret.md', 'Yes.')
  write('.obsidian/app.md', 'No.')
  write('.git/a.md', 'No.')
  write('node_modules/left/readme.md', 'No.')
  write('picture.png', 'No.')
  write('huge.md', 'No.')
  truncateSync(join(folder, 'huge.md'), 64 * 1024 * 1024 + 1)
  const outside = vault(t)
  outside.write('private.md', 'No.')
  symlinkSync(outside.folder, join(folder, 'linked'))
  symlinkSync(join(outside.folder, 'private.md'), join(folder, 'linked.md'))
  const { files, leftOut, folders } = await contentsOf(folder)
  t.same(
    files.map(({ path }) => path),
    ['kept.draft.md', 'note.md', 'sub/b.draft.md', 'sub/deeper/secret.md'],
  )
  // Hidden: .git, .gitignore, .obsidian, node_modules, sub/.gitignore. Ignored: build, a.draft.md, sub/secret.md.
  t.same(leftOut, { hidden: 5, ignored: 3, tooLarge: 1, links: 2, others: 1 })
  t.same(folders, [folder, join(folder, 'sub'), join(folder, 'sub/deeper')])
  rmSync(join(folder, 'note.md'))
  symlinkSync(join(outside.folder, 'private.md'), join(folder, 'note.md'))
  await t.rejects(
    Promise.resolve(files[1]?.open()),
    { code: 'ELOOP' },
    'a link that came later is not followed',
  )
  await t.rejects(contentsOf(join(folder, 'missing')), /cannot be read/)
})

t.test('svc safe sync prints what has changed', async t => {
  const { folder, write, svc, safe } = await open(t)
  write('Ada.md', 'Knows [[Babbage]].')
  write('.obsidian/app.json', '{}')
  t.match(await svc('safe', 'sync', safe, folder), {
    code: 0,
    stdout: '1\n',
    stderr: /Left out: 1 hidden\.\n“Notes” is in step with “vault”: 1 added\./,
  })
  t.match(await svc('ask', safe, 'Whom does Ada know?'), { stdout: /Ada — links to → Babbage/ })
  t.match(await svc('safe', 'sync', safe, folder), { code: 0, stdout: '', stderr: /Nothing has changed/ })
  renameSync(join(folder, 'Ada.md'), join(folder, 'Lovelace.md'))
  const renamed = await svc('safe', 'sync', safe, folder, '--json')
  t.match(JSON.parse(renamed.stdout), { renamed: 1, added: 0, removed: 0, run: 2 })
  write('Bad.md', '---\nnever: ends')
  write('Lovelace.md', 'Knows [[Byron]].')
  t.match(await svc('safe', 'sync', safe, folder), {
    code: 1,
    stderr: /Bad\.md, line 1: The front matter never ends\.[\s\S]*1 changed\.\n1 file could not be read/,
  })
  t.match(await svc('ask', safe, 'Byron'), { stdout: /Lovelace — links to → Byron/ })
  t.match(await svc('safe', 'undo', safe, '3', '--yes'), { code: 0 })
  t.match(await svc('ask', safe, 'Lovelace'), { stdout: /Lovelace — links to → Babbage/ })
  rmSync(folder, { recursive: true })
  t.match(await svc('safe', 'sync', safe, folder), { code: 1, stderr: /There is no folder/ })
  mkdirSync(folder)
  t.match(await svc('safe', 'sync', safe, folder), {
    code: 1,
    stderr: /would remove 1 of 1 files of “vault”/,
  })
  t.match(await svc('safe', 'sync', safe, folder, '--yes'), { code: 0, stderr: /: 1 removed/ })
  t.match(await svc('safe', 'list'), { stdout: /Notes\t0\t0\t0/ })
})

t.test('--agents finds the sessions of coding agents and keeps them in step', async t => {
  const { folder: home, write, safe, place } = await open(t)
  const sync = (...args: string[]) =>
    runHere(place.dataDir, ['safe', 'sync', safe, ...args], '', { HOME: home })
  t.match(await sync('--agents'), {
    code: 1,
    stderr: /No coding agent has kept sessions in .*\.claude\/projects, /,
  })
  t.match(await sync(), { code: 2, stderr: /Name a folder, or use --agents/ })
  t.match(await sync(home, '--agents'), { code: 2 })
  const asked = (text: string) =>
    JSON.stringify({
      type: 'user',
      sessionId: 's',
      uuid: 'u',
      cwd: '/code/harbour',
      message: { content: text },
    })
  write('.claude/projects/-code-harbour/s.jsonl', asked('Where is the lighthouse?'))
  write('.claude/projects/-code-harbour/memory/MEMORY.md', 'Not a session.')
  write('.gemini/tmp/abc/logs.json', '[]')
  t.match(await sync('--agents'), {
    code: 0,
    stdout: '1\n',
    stderr: /^“Notes” is in step with “Coding agents”: 1 added\.\n$/,
  })
  t.match(await runHere(place.dataDir, ['ask', safe, 'lighthouse']), {
    stdout: /Where is the lighthouse\?[\s\S]*Claude Code\/-code-harbour\/s\.jsonl/,
  })
  write(
    '.claude/projects/-code-harbour/s.jsonl',
    `${asked('Where is the lighthouse?')}\n${asked('And the pier?')}`,
  )
  t.match(await sync('--agents'), { code: 0, stderr: /: 1 changed/ })
})

t.test('--watch follows the folder, while another process asks', async t => {
  const { folder, write, svc, safe, place } = await open(t)
  write('Ada.md', 'The first word.')
  const { child, ended } = await start(place.dataDir, ['safe', 'sync', safe, folder, '--watch'])
  t.teardown(() => child.kill('SIGKILL'))
  const says = async (word: string, text: RegExp) => {
    while (!text.test((await svc('ask', safe, word)).stdout)) await pause(50)
    t.pass(word)
  }
  await says('first', /The first word/)
  write('Ada.md', 'The second word.')
  await says('second', /The second word/)
  write('new/folder/Byron.md', 'The third word.')
  await says('third', /The third word/)
  write('new/folder/Byron.md', 'The fourth word.')
  await says('fourth', /The fourth word/)
  renameSync(join(folder, 'new'), join(folder, 'old'))
  await says('fourth', /old\/folder\/Byron\.md/)
  child.kill('SIGTERM')
  t.match((await ended).stderr, /is in step with “vault”: 1 changed\./)
})

function vault(t: Test) {
  const folder = join(dataDir(t), 'vault')
  mkdirSync(folder)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, write }
}

async function open(t: Test) {
  const place = { dataDir: dataDir(t) }
  const svc = (...args: string[]) => runHere(place.dataDir, args)
  await runHere(place.dataDir, ['account', 'add', 'ann@a.example', '--password-stdin'], 'a long password\n')
  const safe = (await svc('safe', 'add', 'Notes', '--owner', 'ann@a.example')).stdout.trim()
  return { ...vault(t), svc, safe, place }
}
