import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startServer } from '../../built-server.js'
import { build, dataDir } from '../../helper.js'
import { assistantOf, BASE, CALLBACK, encode } from '../../integration/oauth/assistant.js'
import { addLighthouse } from '../../lighthouse.js'
import { builtFolder } from '../../servers.js'

/** A file system of the process's own with the files in SEED; it ends with the process. */
const IN_TMPFS = 'mount -t tmpfs -o size=8m none "$DATA_DIR" && cp -r "$SEED"/. "$DATA_DIR" && exec "$@"'

t.test('full disk: writes return 503, reads continue, nothing acknowledged is lost (DESIGN §7)', async t => {
  const seed = await build(t)
  const { assistant, id: owner } = await assistantOf(seed)
  const safe = await addLighthouse(seed, owner)
  const reader = await assistant.connect({}, { safe: safe.id })
  let { refresh_token } = await assistant.connect()
  await seed.close()

  const folder = dataDir(t)
  const env = { DATA_DIR: folder, SEED: seed.config.dataDir, BASE_URL: BASE }
  const through = ['unshare', '-rm', 'sh', '-c', IN_TMPFS, 'sh']
  const { url, child } = await startServer(t, await builtFolder(), env, through)
  const inside = join(`/proc/${child.pid}/root`, folder, 'filler')

  const rotate = () =>
    fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode(assistant.refreshing(refresh_token)),
    })
  const register = () =>
    fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [CALLBACK] }),
    })
  const call = (method: string, params?: object) =>
    fetch(`${url}/mcp/v1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  const kept = async (answer: Response) => {
    refresh_token = ((await answer.json()) as typeof reader).refresh_token
  }

  for (let round = 0; round < 2; round++) {
    fill(inside)
    let refused = 0
    for (let i = 0; i < 200 && refused < 10; i++) {
      const answer = await rotate()
      if (answer.status === 200) {
        await kept(answer)
        continue
      }
      refused++
      t.equal(answer.status, 503)
      t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/)
      t.match(await answer.json(), { error: 'temporarily_unavailable', error_description: /disk is full/ })
    }
    t.equal(refused, 10, 'the disk is full')
    t.equal((await register()).status, 503)
    const asked = await call('tools/call', {
      name: 'svc',
      arguments: { query: 'Who leads the Lens Restoration?' },
    })
    t.match(await asked.json(), { result: { content: [{ text: /Lens Restoration/ }] } }, 'reads go on')
    t.equal((await fetch(`${url}/readyz`)).status, 200)

    rmSync(inside)
    const answer = await rotate()
    t.equal(answer.status, 200, 'with room again the last acknowledged pair works')
    await kept(answer)
    t.equal((await register()).status, 201)
  }
})

/** Leaves no byte free. */
function fill(file: string): void {
  for (const bytes of [65_536, 4096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}
