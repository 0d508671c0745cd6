// Not a test: starts the service and saves pictures of its pages, in light and dark and at 320 px, to look at.
// npx tsx --import=./test/tsx-in-threads.mjs test/integration/pages/screenshots.ts [folder, default /tmp/shots]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Browser } from 'playwright-core'
import { buildApp } from '../../../app.js'
import { loadConfig } from '../../../plugins/config.js'
import { launchChromium } from '../../chromium.js'
import { freePort } from '../../free-port.js'
import { PASSWORD } from './browser.js'

const folder = process.argv[2] ?? '/tmp/shots'
const looks = [
  { name: 'light', colorScheme: 'light', width: 1100 },
  { name: 'dark', colorScheme: 'dark', width: 1100 },
  { name: 'small', colorScheme: 'light', width: 320 },
] as const

const CONSENT = {
  csrf: 'x',
  action: '/oauth/consent/x',
  title: 'Claude wants access',
  serverHost: 'safes.example',
  clientName: 'Claude',
  clientVerified: true,
  clientStanding: 'verified – published by claude.ai',
  redirectHost: 'claude.ai',
  caution: null,
  accountEmail: 'ann@example.org',
  switchAccountUrl: '/logout?request=x',
  requiredScopes: [{ name: 'vault:read', granted: true, required: true, text: 'read your Safes' }],
  optionalScopes: [{ name: 'vault:write', granted: false, required: false, text: 'change your Safes' }],
  pinnedSafe: null,
  safeChoice: {
    safes: [
      { id: 'a', name: 'Space', chosen: true },
      { id: 'b', name: 'Family', chosen: false },
    ],
    list: null,
    only: false,
    isLong: false,
  },
  lasts: 'The connection expires after 90 days without use.',
  error: undefined,
}

const port = await freePort()
const dataDir = mkdtempSync(join(tmpdir(), 'svc-shots-'))
const app = await buildApp({
  config: loadConfig({ DATA_DIR: dataDir, PORT: String(port) }),
  logger: { level: 'warn' },
})
app.get('/try/consent', (_request, reply) => reply.page('consent', CONSENT))
app.get('/try/consent-local', (_request, reply) =>
  reply.page('consent', {
    ...CONSENT,
    clientName: 'My <b>bold</b> assistant',
    clientVerified: false,
    clientStanding: 'unverified',
    redirectHost: 'localhost:33418',
    caution: 'Continue only if you have just started connecting it yourself.',
    pinnedSafe: 'Space',
    error: 'Please choose.',
  }),
)
await app.listen({ port, host: '127.0.0.1' })
const browser = await launchChromium()
mkdirSync(folder, { recursive: true })
try {
  const setup = `/setup?token=${await app.accounts.createSetupToken()}`
  await shoot(browser, { 'no-account': '/', setup })
  const ann = await app.accounts.add('ann@example.org', PASSWORD)
  await shoot(browser, { login: '/login', missing: '/nowhere' })
  await shoot(browser, { 'home-empty': '/', 'safes-empty': '/safes' }, true)
  const pages = await fill(ann.id)
  await shoot(browser, pages, true)
} finally {
  await browser.close()
  await app.close()
  rmSync(dataDir, { recursive: true })
}

/** A Safe with something in it, imports in every state, and an assistant. Returns the pages that show them. */
async function fill(accountId: string): Promise<Record<string, string>> {
  const safe = await app.safes.create(accountId, 'Space')
  const empty = await app.safes.create(accountId, 'Family & friends')
  const options = (source: string, text: string) => ({ source, bytes: Readable.from([Buffer.from(text)]) })
  const entity = (name: string, observation: string) =>
    JSON.stringify({ type: 'entity', name, entityType: 'thing', observations: [observation] })
  const relation = (from: string, relationType: string, to: string) =>
    JSON.stringify({ type: 'relation', from, to, relationType })
  const memory = [
    entity('Voyager 1', 'Launched in 1977, it is the most distant object made by people.'),
    entity('Saturn', 'The sixth planet, known for its rings.'),
    entity('Titan', 'The largest moon of Saturn, with lakes of methane.'),
    relation('Voyager 1', 'visited', 'Saturn'),
    relation('Voyager 1', 'visited', 'Jupiter'),
    relation('Titan', 'is a moon of', 'Saturn'),
    relation('Voyager 1', 'was built by', 'Jet Propulsion Laboratory'),
  ].join('\n')
  await app.safes.import(accountId, safe.id, { ...options('space.jsonl', memory), commit: true })
  const more = relation('Cassini', 'orbited', 'Saturn')
  const staged = await app.safes.import(accountId, safe.id, {
    ...options('cassini.jsonl', more),
    commit: false,
  })
  const failed = await app.safes.import(accountId, safe.id, {
    ...options('broken.jsonl', `${more}\nnot json\n{"type":"entity"}`),
    commit: false,
  })
  await connect(accountId, safe.id)
  return {
    home: '/',
    safes: '/safes',
    safe: `/safes/${safe.id}`,
    answer: `/safes/${safe.id}?q=${encodeURIComponent('What did Voyager 1 visit?')}`,
    'safe-empty': `/safes/${empty.id}`,
    'safe-remove': `/safes/${safe.id}/remove`,
    'import-new': `/safes/${safe.id}/import`,
    'import-staged': `/safes/${safe.id}/imports/${staged.id}`,
    'import-failed': `/safes/${safe.id}/imports/${failed.id}`,
    connections: '/connections',
    account: '/account',
    people: '/people',
    consent: '/try/consent',
    'consent-local': '/try/consent-local',
  }
}

async function connect(accountId: string, safeId: string) {
  const connection = (id: string, name: string, more: object) => ({
    id,
    account_id: accountId,
    client_id: 'svc_client_x',
    client_name: name,
    client_verified: 1,
    redirect_host: 'claude.ai',
    scope: 'vault:read',
    resource: 'user',
    resource_sent: 1,
    chosen_safe_id: safeId,
    only_chosen_safe: 0,
    created_at: Date.UTC(2026, 10, 20, 9),
    last_used_at: Date.UTC(2026, 10, 21, 9, 30),
    calls: 1234,
    revoked_at: null,
    revoked_reason: null,
    ...more,
  })
  await app.database.write(trx =>
    trx
      .insertInto('connections')
      .values([
        connection('a'.repeat(22), 'Claude', {}),
        connection('b'.repeat(22), 'Cursor', {
          client_verified: 0,
          redirect_host: 'localhost',
          resource: `safe:${safeId}`,
        }),
        connection('c'.repeat(22), 'Old assistant', {
          revoked_at: Date.UTC(2026, 10, 21, 8),
          revoked_reason: 'You ended it.',
        }),
      ])
      .execute(),
  )
  const grant = { facts_json: '{}', code_expires_at: 0, refresh_generation: 1, refresh_expires_at: 0 }
  const life = { rotated_at: 0, expires_at: Date.now() + 3_600_000 }
  await app.database.write(trx =>
    trx
      .insertInto('grants')
      .values(['a', 'b'].map(letter => ({ connection_id: letter.repeat(22), ...grant, ...life })))
      .execute(),
  )
}

async function shoot(browser: Browser, pages: Record<string, string>, signedIn = false) {
  for (const { name: look, colorScheme, width } of looks) {
    const context = await browser.newContext({
      baseURL: `http://localhost:${port}`,
      colorScheme,
      viewport: { width, height: 800 },
    })
    const page = await context.newPage()
    if (signedIn) {
      await page.goto('/login')
      await page.fill('[name=email]', 'ann@example.org')
      await page.fill('[name=password]', PASSWORD)
      await page.click('main button')
      await page.waitForURL(/\/$/)
    }
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path)
      const wide = await page.locator('html').evaluate(html => html.scrollWidth > html.clientWidth)
      if (wide) process.stdout.write(`${look} ${name}: wider than the window\n`)
      await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true })
    }
    await context.close()
  }
}
