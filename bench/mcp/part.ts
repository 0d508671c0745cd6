import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection, requestText } from '../load/connection.js'
import type { Program, Programs } from '../load/programs.js'
import type { Subject } from '../load/rounds.js'
import type { ServiceHello } from '../load/service.js'
import { headersFor, type McpServer, mcpClient, rpc } from './clients.js'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const ask = (query: string) => rpc('tools/call', { name: 'svc', arguments: { query } })
const CALLS: Record<string, string> = {
  ping: rpc('ping'),
  'tools/list': rpc('tools/list'),
  'tools/call': ask('constant'),
}

/** Requests to the MCP endpoint, compared with a bare route, and with the SDK's own server on Express. */
export async function mcpSubjects(programs: Programs, redisUrl: string): Promise<Subject[]> {
  const service = (name: string, ...args: string[]) =>
    programs.start<ServiceHello>(file('../load/service.js'), join(programs.folder, name), ...args)
  const redis = await service('redis', redisUrl)
  const embedded = await service('embedded')

  const ours = { ...redis, server: serverOf(redis) }
  const call = await answerTo(ours, CALLS['tools/call'] ?? '')
  const body = join(programs.folder, 'body.json')
  // Answers are read byte by byte (`Connection`), so a character here is a byte.
  writeFileSync(body, call, 'latin1')
  const answers = join(programs.folder, 'answers.json')
  const { tools } = JSON.parse(await answerTo(ours, CALLS['tools/list'] ?? '')).result
  writeFileSync(answers, JSON.stringify({ tools, text: JSON.parse(call).result.content[0].text }), 'latin1')
  const reference = await programs.start(file('reference.js'), redisUrl, body)

  // The reference hashes a token as long as ours.
  const bare = { path: '/', accessToken: redis.hello.accessToken }
  const subjects: Subject[] = [
    {
      ...subject('bare route, one GET', reference, bare, CALLS.ping ?? '', call),
      role: 'reference',
      work: '',
    },
    ...(await subjectsOf('redis', redis)),
    ...(await subjectsOf('embedded', embedded)),
  ]
  const rival = await programs.start<{ accessToken: string }>(file('sdk-express.js'), redisUrl, answers)
  const server: McpServer = { path: '/', accessToken: rival.hello.accessToken, session: true }
  for (const [name, request] of Object.entries(CALLS)) {
    const each = await checked(`SDK on Express, sessions: ${name}`, rival, server, request, name)
    assert.deepEqual(
      JSON.parse(await answerTo({ ...rival, server }, request)).result,
      JSON.parse(await answerTo(ours, request)).result,
    )
    subjects.push({ ...each, role: 'rival' })
  }
  return subjects
}

function serverOf({ hello }: Program<ServiceHello>): McpServer {
  return { path: '/mcp/v1', accessToken: hello.accessToken }
}

async function subjectsOf(setUp: string, program: Program<ServiceHello>): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (const [name, request] of Object.entries(CALLS))
    subjects.push(await checked(`${setUp}: ${name}`, program, serverOf(program), request, name))
  const question = ask('Who does Person B1 know?')
  const each = await checked(`${setUp}: a question, 10 at once`, program, serverOf(program), question, 'ask')
  // Fifty concurrent requests overload a busy machine, and are then refused.
  return [...subjects, { ...each, clients: 10 }]
}

async function checked(
  name: string,
  program: Program,
  server: McpServer,
  request: string,
  work: string,
): Promise<Subject> {
  const expected = await answerTo({ ...program, server }, request)
  return { ...subject(name, program, server, request, expected), work }
}

function subject(name: string, program: Program, server: McpServer, request: string, expected: string) {
  return { name, program, newClient: () => mcpClient(server, request, expected) }
}

/** Refusals would make the figures look too good: the answer that later ones are compared with is checked first. */
async function answerTo(
  { port, server }: { port: number; server: McpServer },
  body: string,
): Promise<string> {
  const connection = await Connection.open(port)
  const request = requestText(`POST ${server.path}`, await headersFor(server, connection), body)
  const answer = await connection.send(request)
  connection.close()
  const { result } = JSON.parse(answer.body)
  if (answer.status !== 200 || !result || result.isError) throw new Error(`${answer.status} ${answer.body}`)
  return answer.body
}
