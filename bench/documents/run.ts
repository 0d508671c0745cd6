// npm run bench -- documents [100000] [FOLDER …]: a Safe of so many notes: its lists, its overview and a document of 1 MB, the
// slowest of five requests, by the clock and in processor time of this process. Of each folder of notes (a vault): what keeping
// documents adds to the database and to an import, and whether links to its notes lead there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../app.js'
import { loadConfig } from '../../plugins/config.js'
import { Browser } from '../../test/integration/pages/browser.js'
import { fill, pathOf } from './filled.js'
import { imported, links, notesIn, slowdown, storageRatio } from './vault.js'

const TIMES = 5
const LIST_MS = 100
const DOCUMENT_MS = 150
const RATIO = 1.4
const SLOWER = 0.1

const [count = '100000', ...folders] = process.argv.slice(2)
let missed = 0
if (Number(count) > 0) await measured(pages)
for (const folder of folders) await measured((app, owner, dataDir) => vault(app, owner, dataDir, folder))
process.exitCode = missed > 0 ? 1 : 0

/** Runs a measurement on an installation of its own. */
async function measured(
  work: (app: FastifyInstance, owner: string, dataDir: string, browser: Browser) => Promise<void>,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-documents-'))
  const config = loadConfig({ DATA_DIR: dataDir, BASE_URL: 'https://safes.example' })
  const app = await buildApp({ config, logger: false })
  try {
    const browser = new Browser(app)
    await browser.signIn('ann@example.org')
    const { id = '' } = (await app.accounts.findByEmail('ann@example.org')) ?? {}
    await work(app, id, dataDir, browser)
  } finally {
    await app.close()
    rmSync(dataDir, { recursive: true })
  }
}

async function pages(app: FastifyInstance, owner: string, _: string, browser: Browser) {
  const [many, large] = [await app.safes.create(owner, 'Many'), await app.safes.create(owner, 'Large')]
  await fill(app.database, many.id, owner, Number(count))
  const bytes = Readable.from([Buffer.from(largeNote())])
  await app.safes.imports.add(owner, large.id, { source: 'large.md', bytes, commit: true })
  const path = `/safes/${many.id}`
  const lists: Record<string, string[]> = {
    Overview: [path],
    'Documents, top': [`${path}/documents`],
    'Documents, a folder': [7, 8].map(at => `${path}/documents?folder=folder+${at}/part+3/`),
    'Documents, later': [`${path}/documents?folder=folder+7/part+3/&after=folder+7/part+3/Note+5`],
    'Documents, by word': ['note', 'zzz', '999'].map(word => `${path}/documents?q=${word}`),
    'Documents, by tag': ['tag+3', 'none'].map(tag => `${path}/documents?tag=${tag}`),
    'A document': [`${path}/documents/${encodeURI(pathOf(87))}`],
    'Things and passages': [`${path}/browse`, `${path}/browse?passages=1`],
    Files: [`${path}/files`],
    'All Safes': ['/safes'],
    Suggestions: [`/suggest?q=note&in=${many.id}`, '/suggest?q=note+9'],
  }
  console.log('page | slowest, clock | slowest, processor | budget')
  for (const [name, urls] of Object.entries(lists)) await page(browser, name, urls, LIST_MS)
  await page(browser, 'A document of 1 MB', [`/safes/${large.id}/documents/large.md`], DOCUMENT_MS)
}

/** Requests each page five times, after once: what runs for the first time is opened and compiled. */
async function page(browser: Browser, name: string, urls: readonly string[], budget: number) {
  const slowest = { clock: 0, processor: 0, first: 0 }
  for (const url of urls)
    for (let time = 0; time <= TIMES; time++) {
      const [usage, from] = [process.cpuUsage(), performance.now()]
      const { statusCode } = await browser.get(url)
      const clock = performance.now() - from
      const { user, system } = process.cpuUsage(usage)
      if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`)
      slowest[time === 0 ? 'first' : 'clock'] = Math.max(slowest[time === 0 ? 'first' : 'clock'], clock)
      if (time > 0) slowest.processor = Math.max(slowest.processor, (user + system) / 1000)
    }
  const { clock, processor, first } = slowest
  say(
    `${name} | ${clock.toFixed(1)} ms (first ${first.toFixed(0)}) | ${processor.toFixed(1)} ms | ${budget} ms`,
    processor <= budget,
  )
}

async function vault(app: FastifyInstance, owner: string, dataDir: string, folder: string) {
  const notes = notesIn(folder)
  const { id } = await imported(app, owner, notes)
  // Before other imports come.
  const ratio = await storageRatio(join(dataDir, 'svc.db'))
  const { count, dead } = await links(app, owner, id, notes)
  say(
    `${folder}: ${notes.length} notes, ${count} links to them, of which ${dead.length} are dead (budget 0)`,
    dead.length === 0,
  )
  for (const link of dead.slice(0, 10)) console.log(`  ${link}`)
  const slower = await slowdown(app, owner, notes)
  say(
    `  import ${(100 * slower).toFixed(1)} % slower with documents (budget ${100 * SLOWER} %)`,
    slower <= SLOWER,
  )
  say(`  database ${ratio.toFixed(2)} × its size without documents (budget ${RATIO} ×)`, ratio <= RATIO)
}

function say(line: string, isMet: boolean) {
  if (!isMet) missed++
  console.log(isMet ? line : `${line} MISSED`)
}

/** A million characters as people write them: paragraphs with a few links, lists, code and tables. */
function largeNote(): string {
  let text = ''
  for (let at = 0; text.length < 1_000_000; at++) {
    const words = 'a lamp that is kept by somebody who writes down what the weather does to it '.repeat(6)
    text += `## Part ${at}\n\n${words}and *then* [[Note ${at}]], see [there](https://example.org/${at}).\n\n${words}in \`code\`.\n\n`
    text += at % 3 === 0 ? `- one\n- two **bold**\n- three\n\n` : `> Said ${at}.\n\n`
    if (at % 10 === 0)
      text += `| a | b |\n| --- | --- |\n| ${at} | x |\n\n\`\`\`js\nconst at = ${at}\n\`\`\`\n\n`
  }
  return text.slice(0, 1_000_000)
}
