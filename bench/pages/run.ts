// npm run bench -- pages [1000000] — every page of a Safe with so many facts, and a search over it and 299 small ones: the
// slowest of five requests, by the clock and in processor time of the whole process, and the largest answer. The first request
// for each kind of page, which opens the index and is compiled, is not counted.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buildApp } from '../../app.js'
import { loadConfig } from '../../plugins/config.js'
import { Browser } from '../../test/integration/pages/browser.js'
import { lines } from './lines.js'

const TIMES = 5
const MOST_MS = 150
/** Small Safes beside the large one, and facts in each. */
const SMALL = 299
const SMALL_FACTS = 100
const AFTER_RESTART = 'Search after a restart'
const MOST_BYTES = 100_000

const facts = Number(process.argv[2] ?? 1_000_000)
const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-pages-'))
const start = () =>
  buildApp({ config: loadConfig({ DATA_DIR: dataDir, BASE_URL: 'https://safes.example' }), logger: false })
let app = await start()
try {
  let browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const ann = await app.accounts.findByEmail('ann@example.org')
  if (!ann) throw new Error('no account')
  const safe = await app.safes.create(ann.id, 'Bench')
  const began = performance.now()
  const bytes = Readable.from(lines(facts)).map(line => Buffer.from(line))
  const done = await app.safes.imports.add(ann.id, safe.id, { source: 'bench.jsonl', bytes, commit: true })
  const { entities, relations, passages } = done.counts
  console.log(
    `${entities} things, ${relations} relations, ${passages} passages: ${seconds(began)} s to import`,
  )
  const path = `/safes/${safe.id}`
  await browser.get(`${path}/browse`)

  const [{ items: last }, { items: busy }] = await Promise.all([
    app.safes.browse.things(ann.id, safe.id, { sort: 'name', after: 't', limit: 1 }),
    app.safes.browse.things(ann.id, safe.id, { sort: 'relations', limit: 30 }),
  ])
  const key = (item: { key: string } | undefined) => encodeURIComponent(item?.key ?? '')
  const pages: Record<string, string[]> = {
    'Ask, without a question': [''],
    'Ask, with a question': ['?q=What+does+Hub+own%3F', `?q=${key(busy[9])}`],
    Browse: ['/browse'],
    'Browse, by name': [`/browse?after=${key(last[0])}`, '/browse?after=zz'],
    'Browse, by relations': ['/browse?sort=relations', `/browse?sort=relations&after=${key(busy[20])}`],
    'Browse, one type': [
      '/browse?type=type+0',
      '/browse?type=type+299',
      '/browse?type=type+299&sort=relations',
    ],
    'Browse, one relation': ['/browse?relation=works+for', '/browse?relation=owns&of=hub&direction=in'],
    'Browse, one file': ['/browse?source=bench.jsonl', `/browse?source=bench.jsonl&after=${key(last[0])}`],
    'Browse, passages': [
      '/browse?passages=1',
      '/browse?passages=1&after=1.90000',
      '/browse?passages=1&mentioning=hub',
    ],
    'Browse, all types': ['/browse?list=types'],
    'Browse, search': ['/browse?search=ba', '/browse?search=b', '/browse?search=hub', '/browse?search=zzz'],
    'a hub': ['/things/hub'],
    'another thing': [`/things/${key(busy[5])}`, `/things/${key(last[0])}`],
    'a path': [`/things/${key(last[0])}?to=Hub`, `/things/${key(busy[5])}?to=${key(last[0])}`],
    'no such thing': ['/things/babacedi', '/things/hubb'],
    'a picture of two rings': [
      '/picture?of=hub',
      `/picture?of=${key(busy[5])}`,
      `/picture?of=${key(last[0])}`,
    ],
    suggestions: ['/suggest?q=ba', '/suggest?q=hub', '/suggest?q=b', '/suggest?q=zan', '/suggest?q=qqqq'],
    Settings: ['/settings'],
    [`Search in ${SMALL + 1} Safes`]: ['ba', 'b', 'hub', 'zzz', 'small', '1'].map(
      text => `/search?q=${text}`,
    ),
    [AFTER_RESTART]: ['/search?q=hub'],
  }
  for (let number = 0; number < SMALL; number++) {
    const { id } = await app.safes.create(ann.id, `Small Safe ${number}`)
    const bytes = Readable.from(lines(SMALL_FACTS + number)).map(line => Buffer.from(line))
    await app.safes.imports.add(ann.id, id, { source: 'small.jsonl', bytes, commit: true })
  }
  console.log('page | slowest, clock | slowest, processor | largest')
  let failed = false
  for (const [name, urls] of Object.entries(pages)) {
    const at = (url: string) => (url.startsWith('/search') ? url : path + url)
    if (name === AFTER_RESTART) {
      await app.close()
      app = await start()
      browser = new Browser(app)
      await browser.signIn('ann@example.org')
    } else {
      // What runs for the first time in a process is compiled first.
      await browser.get(at(urls[0] ?? ''))
    }
    let [clock, processor, size] = [0, 0, 0]
    for (const url of urls) {
      for (let time = 0; time < TIMES; time++) {
        const usage = process.cpuUsage()
        const started = performance.now()
        const { body, statusCode } = await browser.get(at(url))
        clock = Math.max(clock, performance.now() - started)
        const { user, system } = process.cpuUsage(usage)
        processor = Math.max(processor, (user + system) / 1000)
        size = Math.max(size, Buffer.byteLength(body))
        if (statusCode >= 500 || statusCode === 400) throw new Error(`${url}: ${statusCode}`)
      }
    }
    failed ||= processor > MOST_MS || size > MOST_BYTES
    console.log(
      `${name} | ${clock.toFixed(1)} ms | ${processor.toFixed(1)} ms | ${(size / 1000).toFixed(1)} kB`,
    )
  }
  console.log(failed ? 'A page is above 150 ms or 100 kB.' : 'Every page is below 150 ms and 100 kB.')
  process.exitCode = failed ? 1 : 0
} finally {
  await app.close()
  rmSync(dataDir, { recursive: true })
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
