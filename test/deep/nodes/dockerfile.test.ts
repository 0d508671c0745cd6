import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { dataDir } from '../../data-dir.js'
import { freePort } from '../../free-port.js'
import { Image, npmCache, stagesOf, whyNot } from './image.js'
import { WARNING } from './node.js'

t.test(
  'the steps of the Dockerfile build an image that runs without root and writes only to /data',
  { skip: whyNot() },
  async t => {
    const folder = dataDir(t)
    const images = new Map<string, Image>()
    let image = new Image(join(folder, 'none'), npmCache())
    for (const [number, { from, name, instructions }] of stagesOf(
      readFileSync(join(rootDir, 'Dockerfile'), 'utf8'),
    ).entries()) {
      t.match(from, /^node:24-slim@sha256:[0-9a-f]{64}$/, 'the base does not change by itself')
      image = new Image(join(folder, `stage-${number}`), npmCache())
      await image.make(instructions, images)
      images.set(name, image)
      t.notMatch(image.printed, WARNING)
    }
    const app = join(image.root, 'app')
    t.strictSame(readdirSync(app).sort(), [
      'dist',
      'domain',
      'node_modules',
      'package.json',
      'public',
      'views',
    ])
    for (const name of ['typescript', 'esbuild', 'tap'])
      t.notOk(existsSync(join(app, 'node_modules', name)), name)
    t.equal(image.user, 'node')
    t.equal(statSync(join(image.root, 'data')).uid, 1000)

    const env = { PORT: String(await freePort()), LOG_LEVEL: 'warn' }
    const run = async (args: string[]) => (await once(image.start(args, env), 'close'))[0]
    t.equal(await run(image.healthCheck), 1, 'nothing is healthy before it runs')
    t.not(await run(['touch', '/app/written']), 0, 'the file system is read-only')
    t.equal(await run(['sh', '-c', 'test "$(id -u)" = 1000']), 0, 'nothing runs as root')
    const before = await written(image.root)
    const server = image.start(image.command, env)
    t.teardown(() => server.kill('SIGKILL'))
    let link = ''
    for await (const line of createInterface({ input: server.stderr })) {
      if (line.includes('Data folder')) t.equal(line.trim(), 'Data folder: /data')
      link = /http:\S+\/setup\?token=\S+/.exec(line)?.[0] ?? ''
      if (link) break
    }
    t.match(await (await fetch(`http://localhost:${env.PORT}/healthz`)).json(), { status: 'ok' })
    t.equal((await fetch(link)).status, 200)
    t.equal(await run(image.healthCheck), 0, 'HEALTHCHECK')
    t.equal(await run(['svc', 'account', 'list']), 0, 'the command svc works in the container')
    server.kill('SIGTERM')
    t.equal((await once(server, 'exit'))[0], 0, 'SIGTERM reaches the service')
    t.ok(existsSync(join(image.root, 'data', 'svc.db')))
    t.strictSame(await written(image.root), before, 'nothing outside /data was written')
  },
)

/** All files outside /data, with their times. */
async function written(root: string): Promise<string[]> {
  const options = ['-path', join(root, 'data'), '-prune', '-o', '-printf', '%p %C@\\n']
  return spawnSync('find', [root, ...options], { encoding: 'utf8' })
    .stdout.split('\n')
    .sort()
}
