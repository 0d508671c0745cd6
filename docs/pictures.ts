// npm run docs -- pictures: takes the pictures of the README, and of every page in every state (`test/gallery/`), in light
// and dark, wide and narrow, with and without scripts, and printed, into `pictures-of-pages/`, to look at.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { buildApp } from '../app.js'
import { rootDir } from '../platform/common/package.js'
import { loadConfig } from '../plugins/config.js'
import { launchChromium } from '../test/chromium.js'
import { type Look, looks, Visitor } from '../test/gallery/looks.js'
import { ask, EMAIL, GALLERY_SETTINGS, scenes } from '../test/gallery/scenes.js'
import { runHere } from '../test/integration/cli/svc.js'

/** What an assistant has asked, so that the map has something to show. */
const QUESTIONS = [
  'How are documents kept and rendered?',
  'What is a run of a synced folder?',
  'Which rules does signing in follow?',
  'How are backups made and restored?',
  'What does the graph engine rank?',
  'When are requests shed?',
]

const shots = join(rootDir, 'pictures-of-pages')
const data = mkdtempSync(join(tmpdir(), 'svc-pictures-'))
const app = await buildApp({
  config: loadConfig({ DATA_DIR: data, CALLS_PER_SECOND: '0', ...GALLERY_SETTINGS }),
})
const { baseUrl, port } = app.config
const browser = await launchChromium()
mkdirSync(shots, { recursive: true })
try {
  await app.listen({ port, host: 'localhost' })
  const visitors = await Promise.all(looks.map(look => Visitor.open(browser, baseUrl, look)))
  for await (const scene of scenes(app)) {
    for (const visitor of visitors) {
      const { look } = visitor
      await visitor.visit(scene, async (page, name) => {
        await page.screenshot({ path: join(shots, `${name}-${look.name}.png`), fullPage: true })
        if (look.name !== 'light') return
        await readme(page, name)
        await page.emulateMedia({ media: 'print' })
        await page.screenshot({ path: join(shots, `${name}-print.png`), fullPage: true })
        await page.emulateMedia({ media: 'screen' })
      })
    }
  }
  await ownDocuments()
} finally {
  await browser.close()
  await app.close()
  rmSync(data, { recursive: true })
}

/** For the README, these documents in a Safe. */
async function ownDocuments(): Promise<void> {
  const svc = (...args: string[]) => runHere(data, args)
  const safeId = (await svc('safe', 'add', 'Our decisions', '--owner', EMAIL)).stdout.trim()
  await svc('safe', 'import', safeId, join(rootDir, 'docs'))
  const account = await app.accounts.findByEmail(EMAIL)
  const { accessToken } = await app.oauth.issueTokens(account?.id ?? '', { clientName: 'Claude' })
  for (const question of QUESTIONS) await ask(app, accessToken, question, safeId)
  await app.activity.flush()
  const path = `/safes/${safeId}`
  const shots = [
    { name: 'document', path: `${path}/documents/decisions/0070-documents.md` },
    { name: 'map', path },
  ]
  const visitor = await Visitor.open(browser, baseUrl, looks[0] as Look)
  await visitor.visit({ signedInAs: EMAIL, shots }, async (page, name) => {
    await page.screenshot({ path: join(rootDir, 'docs', 'images', `${name}.png`) })
  })
}

/** Pages of the README, as wide as it is shown. */
async function readme(page: Page, name: string): Promise<void> {
  const path = (image: string) => join(rootDir, 'docs', 'images', `${image}.png`)
  if (name === 'consent-unverified') await page.locator('.panel').screenshot({ path: path('consent') })
  const image = { 'safe-answer': 'answer', thing: 'thing' }[name]
  if (!image) return
  await page.setViewportSize({ width: 860, height: 900 })
  await page.screenshot({ path: path(image) })
  await page.setViewportSize({ width: 1280, height: 900 })
}
