import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Upload } from 'tus-js-client'
import { runCli } from '../../built-cli.js'
import { startServer } from '../../built-server.js'
import { freePort } from '../../free-port.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { builtFolder } from '../../servers.js'

const MB = 1024 * 1024

interface Answer {
  id: string | number
  status: string | number
  read: number
}

for (const setUp of ['embedded', 'postgres'] as const) {
  t.test(`${setUp}: tus-js-client resumes an upload that kill -9 of the service has broken`, async t => {
    const { start, base, token, safe, call } = await open(t, setUp)
    let server = await start()
    const line = (i: number) =>
      JSON.stringify({
        type: 'entity',
        name: `Lamp ${i}`,
        entityType: 'lamp',
        observations: [`${'x'.repeat(900)} ${i}`],
      })
    const content = Buffer.from(Array.from({ length: 20_000 }, (_, i) => line(i)).join('\n'))
    t.ok(content.length > 15 * MB)
    let sent = 0
    let resumedAt = -1
    const uploading = new Promise<string>((resolve, reject) => {
      const upload = new Upload(content, {
        endpoint: `${base}/safes/${safe}/uploads`,
        headers: { Authorization: `Bearer ${token}` },
        metadata: { filename: 'lamps.jsonl' },
        chunkSize: MB,
        retryDelays: [200, 500, 1000, 2000, 4000, 8000],
        onChunkComplete: (_size, accepted) => {
          sent = accepted
        },
        onAfterResponse: (request, response) => {
          if (request.getMethod() === 'HEAD') resumedAt = Number(response.getHeader('Upload-Offset'))
        },
        onSuccess: () => resolve(upload.url?.split('/').at(-1) ?? ''),
        onError: reject,
      })
      upload.start()
    })
    while (sent < 5 * MB) await pause(2)
    await server.stop('SIGKILL')
    const before = sent
    server = await start()
    const id = await uploading
    t.ok(resumedAt >= before, `continued at ${resumedAt}, after ${before} had been acknowledged`)
    const { id: number } = await call('POST', `/safes/${safe}/imports`, { uploads: [id] })
    t.match(await imported(() => call('GET', `/safes/${safe}/imports/${number}`)), {
      status: 'committed',
      counts: { entities: 20_000 },
    })
  })

  t.test(
    `${setUp}: kill -9 while a sync run is written leaves it open, and it can be finished again`,
    async t => {
      const { start, base, token, safe, call } = await open(t, setUp)
      let server = await start()
      const notes = Array.from({ length: 3_000 }, (_, i) => [
        `Note ${i}.md`,
        `About [[Note ${i + 1}]]. ${'x'.repeat(500)}`,
      ])
      const lines = notes.map(([path, text = '']) =>
        JSON.stringify({
          path,
          size: Buffer.byteLength(text),
          sha256: createHash('sha256').update(text).digest('hex'),
        }),
      )
      const started = await fetch(`${base}/safes/${safe}/sync-runs?name=notes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        body: lines.join('\n'),
      })
      const run = (await started.json()) as Answer
      for (let at = 0; at < notes.length; at += 1_000) {
        const form = new FormData()
        for (const [, text = ''] of notes.slice(at, at + 1_000))
          form.append(createHash('sha256').update(text).digest('hex'), new Blob([text]), 'note.md')
        await fetch(`${base}/safes/${safe}/sync-runs/${run.id}/contents`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: form,
        })
      }
      const path = `/safes/${safe}/sync-runs/${run.id}`
      const finishing = call('POST', `${path}/finish`, {}).catch(() => null)
      for (;;) {
        const { status, read } = await call('GET', path)
        if (status === 'running' && read > 0) break
        t.equal(status === 'done', false, 'killed before the end')
        await pause(1)
      }
      await server.stop('SIGKILL')
      await finishing
      server = await start()
      t.match(await call('GET', path), { status: 'open', wanted: { length: 0 } })
      t.match(
        await call('GET', '/safes'),
        { safes: [{ entities: 0, passages: 0 }] },
        'nothing of it is visible',
      )
      let done = await call('POST', `${path}/finish`, {})
      while (done.status !== 'done') {
        // For the 10 s of the lease.
        if (done.status === 409) t.match(done, { code: 'folder_busy' })
        await pause(100)
        done = done.status === 'running' ? await call('GET', path) : await call('POST', `${path}/finish`, {})
      }
      t.match(done, { status: 'done', report: { added: 3_000, failed_count: 0 } })
    },
  )
}

/** A service with an account that owns a Safe, and a token that may fill it. */
async function open(t: Test, setUp: 'embedded' | 'postgres') {
  const files = await builtFolder()
  const port = await freePort()
  const env: Record<string, string> = {
    DATA_DIR: dataDir(t),
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    CALLS_PER_SECOND: '0',
    ...(setUp === 'postgres' ? { DATABASE_URL: await postgresUrl(t) } : {}),
  }
  const svc = async (args: string[], input = '') => (await runCli(args, env, input, files)).trim()
  await svc(['account', 'add', 'ann@a.example', '--password-stdin'], 'a long password\n')
  const safe = await svc(['safe', 'add', 'Notes', '--owner', 'ann@a.example'])
  const token = await svc(['connection', 'token', 'ann@a.example', '--api', '--write', '--safe', 'Notes'])
  const base = `${env.BASE_URL}/api/v1`
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await reply.json()) as Answer
  }
  return { start: () => startServer(t, files, env), base, token, safe, call }
}

/** Waits until an import is no longer being read. */
async function imported(ask: () => Promise<Answer>) {
  for (;;) {
    const item = await ask()
    if (item.status !== 'staging') return item
    await pause(50)
  }
}
