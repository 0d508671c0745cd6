// npm run bench -- reading hostile — the memory of the built service with all its processes on a machine of 512 MB while four accounts add a PDF of
// 800 bytes that fills the memory, and how long a fifth account waits for a note, beside them and alone.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'
import { startBuilt } from '../../test/built-server.js'
import { freePort } from '../../test/free-port.js'
import { wideFont, wideMap } from './hostile-pdfs.js'

/** Of the service and its children, memory that processes share counted once. */
const BUDGET_MB = 512
const WATCH_MS = 20
const SMALL_MACHINE = fileURLToPath(new URL('small-machine.mjs', import.meta.url))

/** How often another request is sent. */
const ASK_MS = 50

interface Member {
  token: string
  safe: string
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-reading-'))
const settings = { DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: String(await freePort()) }
const members = await createMembers(['b', 'c', 'd', 'e', 'ann'])
const server = await startBuilt(settings, { nodeArgs: ['--import', SMALL_MACHINE] })
const pid = Number(server.child.pid)
try {
  const ann = members.pop() as Member
  await add(ann, 'first.md', Buffer.from('Ada met [[Bob]].'))
  const alone = await timed(() => add(ann, 'alone.md', Buffer.from('Ada met [[Cleo]].')))
  await pause(12_000)
  console.log(`The service, idle: ${memoryOf(pid).toFixed(0)} MB`)
  const idle = probe(ann)
  await pause(3_000)
  const aloneRequests = await idle()
  const peak = { mb: 0, processes: 0 }
  const watching = setInterval(() => {
    peak.mb = Math.max(peak.mb, memoryOf(pid))
    peak.processes = Math.max(peak.processes, treeOf(pid).length)
  }, WATCH_MS)
  const asking = probe(ann)
  const files = members.map((member, at) => add(member, `${at}.pdf`, at % 2 === 0 ? wideFont() : wideMap()))
  await pause(500)
  const beside = await timed(() => add(ann, 'beside.md', Buffer.from('Ada met [[Dora]].')))
  const outcomes = await Promise.all(files)
  clearInterval(watching)
  console.log(`Other requests beside them: ${await asking()}; alone: ${aloneRequests}`)
  for (const outcome of outcomes) console.log(outcome)
  console.log(`A note beside them: ${beside}; alone: ${alone}`)
  console.log(
    `Four PDFs of 800 bytes at once: ${peak.mb.toFixed(0)} MB in at most ${peak.processes} processes (budget ${BUDGET_MB} MB)`,
  )
  if (peak.mb > BUDGET_MB) process.exitCode = 1
} finally {
  await server.stop('SIGKILL')
  rmSync(folder, { recursive: true })
}

async function createMembers(names: string[]): Promise<Member[]> {
  const app = await buildDomains({ config: loadConfig(settings) }, 'cli')
  await app.ready()
  const members: Member[] = []
  for (const name of names) {
    const { id } = await app.accounts.add(`${name}@bench.example`, 'correct horse battery')
    const { id: safe } = await app.safes.create(id, 'Bench')
    const issued = await app.oauth.issueTokens(id, {
      clientName: name,
      grant: { resource: 'api', scope: ['vault:read', 'vault:write'], chosenSafeIds: [safe] },
    })
    members.push({ token: issued.accessToken, safe })
  }
  await app.close()
  return members
}

/** Uploads a file and waits until it has been read. */
async function add({ token, safe }: Member, name: string, content: Buffer): Promise<string> {
  const api = `${server.url}/api/v1/safes/${safe}`
  const authorization = `Bearer ${token}`
  const upload = await fetch(`${api}/uploads`, {
    method: 'POST',
    headers: {
      authorization,
      'tus-resumable': '1.0.0',
      'upload-length': String(content.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(content),
  })
  if (upload.status !== 201) throw new Error(`${name}: ${upload.status}`)
  const id = upload.headers.get('location')?.split('/').at(-1)
  const begun = await fetch(`${api}/imports`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ uploads: [id] }),
  })
  const { id: number } = (await begun.json()) as { id: number }
  for (;;) {
    const answer = await fetch(`${api}/imports/${number}`, { headers: { authorization } })
    const item = (await answer.json()) as { status: string; problem: string | null }
    if (item.status !== 'staging') return `${name}: ${item.status} ${item.problem ?? ''}`
    await pause(20)
  }
}

/** Lists the Safes again and again. What it returns ends that and tells how long the answers took. */
function probe({ token }: Member): () => Promise<string> {
  const times: number[] = []
  const ending = new AbortController()
  const asking = (async () => {
    while (!ending.signal.aborted) {
      const began = performance.now()
      await (
        await fetch(`${server.url}/api/v1/safes`, { headers: { authorization: `Bearer ${token}` } })
      ).text()
      times.push(performance.now() - began)
      await pause(ASK_MS)
    }
  })()
  return async () => {
    ending.abort()
    await asking
    const sorted = times.toSorted((a, b) => a - b)
    const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]?.toFixed(0)
    return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms`
  }
}

async function timed(work: () => Promise<string>): Promise<string> {
  const began = performance.now()
  const outcome = await work()
  return `${(performance.now() - began).toFixed(0)} ms (${outcome.trim()})`
}

/** A process, its children, and theirs. */
function treeOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap(task =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(treeOf)]
  } catch {
    return []
  }
}

/** Megabytes of a process and all below it: each page counts by the part that is not shared with others (PSS). */
function memoryOf(pid: number): number {
  let kilobytes = 0
  for (const id of treeOf(pid)) {
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      // It has ended.
    }
  }
  return kilobytes / 1024
}
