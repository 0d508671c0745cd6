import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { get } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { PublicAddress } from '../../../domain/doctor/public-address.js'
import { rootDir } from '../../../platform/common/package.js'
import { dataDir } from '../../data-dir.js'
import { freePort } from '../../free-port.js'
import { API, buildApi, fill } from '../../integration/api/service.js'
import { certificate } from '../../integration/doctor/proxy.js'
import { found, installationOf, listen } from '../../integration/doctor/set-up.js'
import { hiddenFields, PASSWORD } from '../../integration/pages/browser.js'
import { rpc } from '../../unit/mcp/domain.js'

const UPLOAD = 60 * 1024 * 1024
const PAGE = readFileSync(join(rootDir, 'docs', 'proxies.md'), 'utf8')
const tls = certificate(t)

/** The block of the page in this language, which people copy. */
function blockOf(language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(PAGE) ?? []
  if (!block) throw new Error(`docs/proxies.md has no block ${language}`)
  return block
}

interface Place {
  folder: string
  port: number
  target: number
}

/** The block with the ports, the host and the certificate of this test. */
function adapted(language: string, { folder, port, target }: Place): string {
  const ports: Record<string, [string, string]> = {
    nginx: ['listen 443', `listen ${port}`],
    haproxy: ['bind :443', `bind 127.0.0.1:${port}`],
    apache: ['*:443', `*:${port}`],
    caddy: ['safes.example.com {', `https://localhost:${port} {`],
  }
  const [from, to] = ports[language] ?? ['', '']
  const block = blockOf(language)
  for (const part of [from, '127.0.0.1:3000', '/etc/ssl/'])
    if (!block.includes(part)) throw new Error(`the block ${language} has no ${part}`)
  return block
    .replaceAll(from, to)
    .replaceAll('safes.example.com', 'localhost')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${target}`)
    .replaceAll('/etc/ssl/', `${folder}/`)
}

const MODULES = ['mpm_event', 'authz_core', 'socache_shmcb', 'ssl', 'proxy', 'proxy_http']

/** Settings of each program around the block, which the program's package has elsewhere. */
const PROXIES: Record<string, (block: string, place: Place) => { file: string; args: string[] }> = {
  nginx: (block, { folder }) => ({
    file: `pid ${folder}/pid; error_log ${folder}/error.log; daemon off;
      events {} http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/temp;
      fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; ${block} }`,
    args: ['-c'],
  }),
  caddy: block => ({
    file: `{\n  admin off\n  auto_https disable_redirects\n}\n${block}`,
    args: ['run', '--adapter', 'caddyfile', '--config'],
  }),
  haproxy: block => ({ file: block, args: ['-db', '-f'] }),
  apache: (block, { folder, port }) => ({
    file: `ServerRoot ${folder}\nServerName localhost\nPidFile ${folder}/pid\nMutex file:${folder}\nErrorLog ${folder}/error.log\nListen 127.0.0.1:${port}
${MODULES.map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
User www-data\nGroup www-data\n${block}`,
    args: ['-D', 'FOREGROUND', '-f'],
  }),
}

const PROGRAMS: Record<string, string> = { apache: 'apache2' }

async function startProxy(t: Test, language: string, port: number, target: number): Promise<void> {
  const folder = dataDir(t)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'safes.pem'), tls.cert)
  writeFileSync(join(folder, 'safes.key'), tls.key)
  writeFileSync(join(folder, 'safes-and-key.pem'), `${tls.cert}\n${tls.key}`)
  const place = { folder, port, target }
  const { file, args } = PROXIES[language]?.(adapted(language, place), place) ?? { file: '', args: [] }
  const path = join(folder, 'configuration')
  writeFileSync(path, file)
  const name = PROGRAMS[language] ?? language
  const program = existsSync(`/usr/sbin/${name}`) ? `/usr/sbin/${name}` : name
  const child = spawn(program, [...args, path], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', chunk => {
    printed += chunk
  })
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`${language} did not start: ${printed}`)
    await pause(50)
  }
}

const isOpen = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Signs in on the page, with the cookies that come through the proxy. */
async function signIn(address: PublicAddress, email: string): Promise<[status: number, cookies: number]> {
  const html = { Accept: 'text/html' }
  const page = await address.send('/login', { headers: html })
  const cookies = (page.headers['set-cookie'] ?? []).map(cookie => cookie.split(';')[0]).join('; ')
  const fields = hiddenFields(page.body, '/login')
  const answer = await address.send('/login', {
    method: 'POST',
    headers: { ...html, Cookie: cookies, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, email, password: PASSWORD }).toString(),
  })
  return [answer.status, answer.headers['set-cookie']?.length ?? 0]
}

for (const language of Object.keys(PROXIES))
  t.test(`docs/proxies.md: ${language}`, async t => {
    const port = await freePort()
    const env = { BASE_URL: `https://localhost:${port}`, TRUST_PROXY: 'loopback' }
    const { app, ann, harbour, issue, program } = await buildApi(t, { setUp: 'embedded', env })
    await fill(app, ann, harbour)
    await app.accounts.add('cleo@a.example', PASSWORD)
    await startProxy(t, language, port, await listen(app))
    const address = new PublicAddress(app.config.baseUrl, tls.ca)

    t.strictSame(await found(installationOf(app, tls.ca)), [], 'the doctor finds nothing')
    t.match(await signIn(address, 'cleo@a.example'), [303, /[1-9]/], 'signing in')

    const { accessToken } = await issue(ann, { chosenSafeIds: [harbour] })
    const asked = await address.send('/mcp/v1', {
      method: 'POST',
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(rpc(1, 'tools/call', { name: 'svc', arguments: { query: 'Who is Ada?' } })),
    })
    t.equal(asked.status, 200)
    t.match(asked.body, /harbour crane/)

    const token = (await program(ann)).accessToken
    const uploaded = await address.send(`${API}/safes/${harbour}/uploads`, {
      method: 'POST',
      deadlineMs: 120_000,
      headers: {
        Authorization: `Bearer ${token}`,
        'Tus-Resumable': '1.0.0',
        'Upload-Length': String(UPLOAD),
        'Upload-Metadata': `filename ${Buffer.from('large.txt').toString('base64')}`,
        'Content-Type': 'application/offset+octet-stream',
      },
      body: 'x'.repeat(UPLOAD),
    })
    t.match(uploaded, { status: 201, headers: { 'upload-offset': String(UPLOAD) } }, '60 MB')
  })

/** Longer than most programs wait by default for the next byte of an answer. */
const SILENCE_MS = 65_000

t.test('docs/proxies.md: an answer that is silent for a minute arrives', async t => {
  const upstream = createServer(async ({ url }, response) => {
    if (url === '/readyz') return response.end()
    response.write('begun')
    await pause(SILENCE_MS)
    return response.end(' and ended')
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  t.teardown(() => {
    upstream.close()
    upstream.closeAllConnections()
  })
  const { port: target } = upstream.address() as AddressInfo
  const ask = async (language: string) => {
    const port = await freePort()
    await startProxy(t, language, port, target)
    const [answer] = await once(get({ host: 'localhost', port, ca: tls.ca, agent: false }), 'response')
    t.equal(await text(answer), 'begun and ended', language)
  }
  await Promise.all(Object.keys(PROXIES).map(ask))
})
