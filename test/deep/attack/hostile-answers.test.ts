import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { send } from '../../../cli/remote/network.js'
import { dataDir } from '../../data-dir.js'
import { onTerminal, runHere } from '../../integration/cli/svc.js'
import { type HostileServer, json, openHostileServer } from './hostile-server.js'

/** Sets the title, fills the clipboard, hides a line, changes the direction, by 7 and by 8 bit controls. */
const EVIL = '\x1b]0;title\x07\x1b]52;c;cm0gLXJm\x1b\\\x9b2J\x1b[8m\rDone.\u202e\u2066'
/** Everything that a terminal obeys, and direction marks; line ends and tabs are from svc itself. */
const OBEYED = /[^\P{C}\n\t]/u
const EMPTY = { entities: 0, relations: 0, passages: 0 }
const SAFE = { id: 'a', name: `Notes${EVIL}`, role: 'owner', version: 1, created_at: '2026-05-01', ...EMPTY }

/** A person who has signed in to a server that turned hostile. */
async function open(t: Test) {
  const server = await openHostileServer(t)
  const home = dataDir(t)
  const folder = join(home, 'config', 'svc')
  mkdirSync(folder, { recursive: true })
  const tokens = {
    accessToken: 'a',
    refreshToken: 'b',
    expiresAt: Date.now() + 3_600_000,
    scope: 'vault:read',
  }
  const servers = { [server.url]: { clientId: 'client', scope: tokens.scope, tokens } }
  writeFileSync(join(folder, 'servers.json'), JSON.stringify({ default: server.url, servers }))
  const env = { XDG_CONFIG_HOME: join(home, 'config') }
  const answer = (path: string, body: Parameters<HostileServer['answers']['set']>[1]) =>
    server.answers.set(`/api/v1${path}`, body)
  answer('/safes', { safes: [SAFE], next_cursor: null })
  return {
    server,
    answer,
    piped: (...args: string[]) => runHere(home, args, '', env),
    onTerminal: (...args: string[]) => onTerminal(home, args, '', env),
  }
}

t.test('what a server says tells a terminal nothing (ADR 57)', async t => {
  const { answer, onTerminal } = await open(t)
  const { question: _, ...facts } = { question: '', linked: [], facts: [], passages: [], entities: [EVIL] }
  answer('/safes/a/ask', {
    ...{ safe: { id: 'a', name: EVIL }, mode: 'search', text: EVIL, total: 0, truncated: false },
    ...{ next_cursor: null, hints: [`Look${EVIL}`], ...facts },
  })
  answer('/safes/a/export', (_, response) => void response.end(`{"name":"${EVIL}é"}\n`))
  const commands = [
    ['safe', 'list'],
    ['safe', 'list', '--json'],
    ['ask', 'a', 'What?'],
    ['ask', 'a', 'What?', '--json'],
    ['safe', 'export', 'a', '--format', 'jsonl'],
  ]
  for (const command of commands) {
    const { code, stdout, stderr } = await onTerminal(...command)
    t.equal(code, 0, stderr)
    t.ok(stdout.length > 0)
    t.notMatch(stdout + stderr, OBEYED, command.join(' '))
  }
  t.equal((await onTerminal('safe', 'list')).stdout.split('\n').length, 2, 'a name is no further line')
})

t.test('its errors are one line, wherever they are printed', async t => {
  const { answer, piped } = await open(t)
  const problem = { code: 'x', detail: `No.${EVIL}\nImported 5 files.`.padEnd(5_000_000, 'x') }
  answer('/safes/a/ask', (_, response) => void response.writeHead(400).end(JSON.stringify(problem)))
  const { code, stdout, stderr } = await piped('ask', 'a', 'What?')
  t.match({ code, stdout }, { code: 1, stdout: '' })
  t.match(stderr, /^No\..*Done\. Imported 5 files\./)
  t.notMatch(stderr, OBEYED)
  t.equal(stderr.split('\n').length, 2)
  t.ok(stderr.length < 2_000)
  for (const odd of [null, 7, [], { detail: { a: 1 } }, { detail: null }]) {
    answer('/safes/a/ask', (_, response) => void response.writeHead(400).end(JSON.stringify(odd)))
    t.match(await piped('ask', 'a', 'What?'), { code: 1, stderr: /did not answer as expected \(400\)/ })
  }
})

t.test('pipes and files get every byte of an export and of JSON', async t => {
  const { answer, piped } = await open(t)
  const file = `{"name":"${EVIL}"}\n`
  answer('/safes/a/export', (_, response) => void response.end(file))
  t.equal((await piped('safe', 'export', 'a', '--format', 'jsonl')).stdout, file)
  t.equal(JSON.parse((await piped('safe', 'list', '--json')).stdout)[0].name, SAFE.name)
})

t.test('an answer without end is given up, at 64 MiB or when its time is over', async t => {
  const { answer, piped, server } = await open(t)
  answer('/safes', (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(1024 * 1024)));
    }
    response.on('drain', more)
    more()
  })
  t.match(await piped('safe', 'list'), { code: 1, stderr: /sends more than 67108864 bytes as an answer/ })
  answer('/safes/a/export', (_, response) => void response.writeHead(500).write('{'))
  server.answers.set('/slow', (_, response) => void response.write('{'))
  const slow = send(`${server.url}/slow`, {}, { bytes: 10, ms: 50 })
  await t.rejects(slow, { message: /does not end its answer/ })
})

t.test('a list that repeats a cursor, or never ends, is given up', async t => {
  const { answer, piped, server } = await open(t)
  answer('/safes', { safes: [], next_cursor: 'again' })
  t.match(await piped('safe', 'list'), { code: 1, stderr: /lists Safes without end/ })
  t.equal(server.asked.length, 2)
  let page = 0
  answer('/safes', (_, response) => json(response, { safes: [], next_cursor: `page ${page++}` }))
  t.match(await piped('ask', 'Notes', 'What?'), { code: 1, stderr: /lists Safes without end/ })
  t.equal(page, 10_000)
})

t.test('an upload whose offset does not move is given up', async t => {
  const { answer, piped, server } = await open(t)
  const location = `${server.url}/api/v1/safes/a/uploads/u`
  answer(
    '/safes/a/uploads',
    (_, response) => void response.writeHead(201, { location, 'upload-offset': '0' }).end(),
  )
  for (const offset of ['0', 'x', '-1']) {
    answer('/safes/a/uploads/u', (request, response) => {
      request.resume()
      request.on('end', () => response.writeHead(204, { 'upload-offset': offset }).end())
    })
    const file = join(dataDir(t), 'large.csv')
    writeFileSync(file, 'a,b\n'.repeat(2_000_000))
    t.match(await piped('safe', 'import', 'a', file), { code: 1, stderr: /does not take/ })
  }
})
