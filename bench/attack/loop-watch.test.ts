import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { Hold } from '../../test/built-server.js'

const LOOP_WATCH = fileURLToPath(new URL('../../test/loop-watch.mjs', import.meta.url))

/** A server that works as many milliseconds of processor time as the path says. */
const SERVER = `
import { createServer } from 'node:http'
function work(ms) {
  const used = () => process.cpuUsage().user + process.cpuUsage().system
  const until = used() + ms * 1000
  while (used() < until);
}
const server = createServer((request, response) => {
  work(Number(request.url.slice(1)))
  response.end()
}).listen(0, '127.0.0.1', () => process.send(server.address().port))
`

async function start(t: Test): Promise<{ child: ChildProcess; port: number }> {
  const args = ['--import', LOOP_WATCH, '--input-type=module', '--eval', SERVER]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [port] = (await once(child, 'message')) as [number]
  return { child, port }
}

async function holdsOf(child: ChildProcess): Promise<Hold[]> {
  child.send('holds')
  const [holds] = (await once(child, 'message')) as [Hold[]]
  return holds
}

const longest = (holds: Hold[]) => Math.max(0, ...holds.map(({ longestPiece }) => longestPiece))

t.test('one request that blocks the event loop counts as one piece of work', async t => {
  const { child, port } = await start(t)
  await fetch(`http://127.0.0.1:${port}/1`)
  await holdsOf(child)
  await fetch(`http://127.0.0.1:${port}/300`)
  t.ok(longest(await holdsOf(child)) > 200)
})

t.test(
  'requests read in the same turn count as separate pieces of work, however late they make a timer',
  async t => {
    const { child, port } = await start(t)
    const sockets = await Promise.all(Array.from({ length: 61 }, () => opened(t, port)))
    await holdsOf(child)
    const answers = sockets.map(socket => once(socket, 'data'))
    // What arrives while the first one is worked on is read in the next turn.
    for (const [i, socket] of sockets.entries()) {
      send(socket, i === 0 ? 300 : 5)
      if (i === 0) await new Promise(resolve => setTimeout(resolve, 50))
    }
    await Promise.all(answers)
    const holds = await holdsOf(child)
    t.ok(
      holds.some(({ ran, longestPiece }) => ran > 100 && longestPiece < ran / 4),
      JSON.stringify(holds),
    )
  },
)

/** A connection whose first request was answered. */
async function opened(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  send(socket, 0)
  await once(socket, 'data')
  return socket
}

const send = (socket: Socket, ms: number) => socket.write(`GET /${ms} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
