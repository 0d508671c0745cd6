import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { agentFolders, agentSessions } from '../../../cli/agent-sessions.js'
import { FolderWatch } from '../../../cli/folder-watch.js'
import { contentsOf, type Earlier } from '../../../domain/safes/sync/folder-contents.js'
import { localSync } from '../../../domain/safes/sync/local-sync.js'
import { build, dataDir } from '../../helper.js'
import { runHere, start } from './svc.js'
import { openInstallation, vaultIn } from './vault.js'

t.test('hidden, ignored, large and foreign files and links are left out and counted', async t => {
  const { folder, write } = vaultIn(dataDir(t))
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
  write('sound.mp3', 'No.')
  write('huge.md', 'No.')
  truncateSync(join(folder, 'huge.md'), 64 * 1024 * 1024 + 1)
  const outside = vaultIn(dataDir(t))
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

t.test('--agents finds the sessions of coding agents and keeps them in step', async t => {
  const { place, safe } = await openInstallation(t)
  const { folder: home, write } = vaultIn(dataDir(t))
  const sync = (...args: string[]) => runHere(place, ['safe', 'sync', safe, ...args], '', { HOME: home })
  t.match(await sync('--agents'), {
    code: 1,
    stderr: /There are no sessions of coding agents in .*\.claude\/projects, /,
  })
  t.match(await sync(), { code: 2, stderr: /Name a folder, or use --agents/ })
  t.match(await sync(home, '--agents'), { code: 2 })
  const asked = (text: string) =>
    JSON.stringify({
      ...{ type: 'user', sessionId: 's', uuid: 'u', cwd: '/code/harbour' },
      message: { content: text },
    })
  write('.claude/projects/-code-harbour/s.jsonl', asked('Where is the lighthouse?'))
  write('.claude/projects/-code-harbour/memory/MEMORY.md', 'Not a session.')
  write('.gemini/tmp/abc/logs.json', '[]')
  t.match(await sync('--agents'), {
    code: 0,
    stdout: '1\n',
    stderr: /^“Notes” is in step with “Coding agents”: 1 file added\.\n$/,
  })
  t.match(await runHere(place, ['ask', safe, 'lighthouse']), {
    stdout: /Claude Code\/-code-harbour\/s\.jsonl[\s\S]*Where is the lighthouse\?/,
  })
  write(
    '.claude/projects/-code-harbour/s.jsonl',
    `${asked('Where is the lighthouse?')}\n${asked('And the pier?')}`,
  )
  t.match(await sync('--agents'), { code: 0, stderr: /: 1 file changed/ })
})

t.test(
  'secrets in sessions do not leave the machine, in lines, in whole files and in what is no JSON',
  async t => {
    const { folder: HOME, write } = vaultIn(dataDir(t))
    const said = (text: string) => JSON.stringify({ type: 'user', message: { content: text } })
    const secret = 'correcthorsebattery'
    const broken = `{"message":{"content":"TOKEN=${secret}`
    write(
      '.claude/projects/a/s.jsonl',
      `${said(`say "export DB_PASSWORD=${secret}"`)}\n${said('hello')}\n${broken}`,
    )
    const whole = { sessionId: 'g', messages: [{ type: 'user', content: 'hello', args: { apiKey: secret } }] }
    write('.gemini/tmp/a/chats/session-1.json', JSON.stringify(whole, null, 2))
    write('.gemini/tmp/a/chats/session-2.json', `no JSON\npassword: ${secret}\n`)
    const { files } = await agentSessions(agentFolders({ HOME }))
    const texts = await Promise.all(files.map(async ({ open }) => textOf(await open())))
    t.equal(texts.length, 3)
    for (const text of texts) t.notMatch(text, secret)
    const lines = texts[0]?.split('\n') ?? []
    t.equal(lines[1], said('hello'))
    t.match(JSON.parse(lines[0] ?? ''), {
      message: { content: /^say "export DB_PASSWORD=\[secret removed\]"?$/ },
    })
    t.match(JSON.parse(texts[1] ?? ''), { sessionId: 'g', messages: [{ content: 'hello' }] })
  },
)

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

t.test('a change that keeps size and time of a file is found', async t => {
  const { place, svc, safe } = await openInstallation(t)
  const { folder, write } = vaultIn(dataDir(t))
  const long = new Date('2020-01-01')
  const sync = () => runHere(place, ['safe', 'sync', safe, folder])
  const rewrite = (text: string) => {
    write('Ada.md', text)
    utimesSync(join(folder, 'Ada.md'), long, long)
  }
  rewrite('The first word.')
  t.match(await sync(), { stderr: /1 file added/ })
  rewrite('The other word.')
  t.match(await sync(), { stderr: /1 file changed/ })
  t.match((await svc('ask', safe, 'word')).stdout, /The other word/)
})

t.test('a file that is removed while a run reads is gone, and not unreadable', async t => {
  const app = await build(t)
  const { id: ann } = await app.accounts.add('ann@example.org', 'a password of length')
  const { id } = await app.safes.create(ann, 'Notes')
  const { folder, write } = vaultIn(dataDir(t))
  write('Ada.md', 'Ada stays.')
  write('Byron.md', 'Byron is removed.')
  const options = {
    name: 'vault',
    folder,
    async walk() {
      const found = await contentsOf(folder)
      rmSync(join(folder, 'Byron.md'), { force: true })
      return found
    },
  }
  const { report } = await localSync(each => app.safes.folders.sync(ann, id, each), options)
  t.match(report, { added: 1, run: 1, failedCount: 0 })
})

t.test('of what was found before, only changed files and replaced folders are looked at again', async t => {
  const { folder, write } = vaultIn(dataDir(t))
  for (const path of ['a/One.md', 'a/Two.md', 'b/One.md', 'c/One.md']) write(path, 'Old.')
  const earlier: Earlier = { folders: new Map(), changed: null }
  await contentsOf(folder, undefined, earlier)
  for (const path of ['a/One.md', 'a/Two.md', 'b/One.md', 'c/Two.md']) write(path, 'A newer text.')
  earlier.changed = new Set(['a/One.md', 'b'].map(path => join(folder, path)))
  const now = await contentsOf(folder, undefined, earlier)
  t.same(
    now.files.map(({ path, size }) => [path, size]),
    [
      ['a/One.md', 13],
      ['a/Two.md', 4],
      ['b/One.md', 13],
      ['c/One.md', 4],
    ],
  )
})

t.test('a watch names what has changed, also in a folder that took the place of another', async t => {
  const { folder, write } = vaultIn(dataDir(t))
  for (const path of ['a/Old.md', 'c/New.md']) write(path, 'Text.')
  const [a, c] = [join(folder, 'a'), join(folder, 'c')]
  const watch = new FolderWatch()
  t.teardown(() => watch.close())
  const next = (folders: string[]) => {
    watch.of(folders)
    return watch.changed()
  }
  t.equal(await next([folder, a, c]), null, 'at first anything may have changed')
  write('a/Old.md', 'Another text.')
  t.same(await next([folder, a, c]), new Set([join(a, 'Old.md')]))
  renameSync(a, join(folder, 'b'))
  renameSync(c, a)
  const moved = await next([folder, a, c])
  t.ok(moved?.has(a), 'the folder is another')
  mkdirSync(c)
  await next([folder, a, join(folder, 'b'), c])
  write('a/New.md', 'Another text.')
  for (;;) {
    const changed = await next([folder, a, join(folder, 'b'), c])
    if (changed?.has(join(a, 'New.md'))) break
  }
  t.pass('the other folder is watched')
})

t.test('--watch follows the folder, while another process asks', async t => {
  const { place, svc, safe } = await openInstallation(t)
  const { folder, write } = vaultIn(dataDir(t))
  write('Ada.md', 'The first word.')
  const { child, ended } = await start(place, ['safe', 'sync', safe, folder, '--watch'])
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
  t.match((await ended).stderr, /is in step with “vault”: 1 file changed\./)
})
