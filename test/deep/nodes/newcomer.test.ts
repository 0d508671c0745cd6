import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { dataDir } from '../../data-dir.js'
import { type Installation, install, installPackage, NEWEST_LTS, NODES, pack, WARNING } from './node.js'
import { type Access, Service, wordnet } from './service.js'

const LINES = 50_000
const QUESTIONS = 2000
const AT_ONCE = 20

/** Installations stay until the end of the test file. */
const file: Test = t
const installed = new Map<number, Installation>()
const graph = join(dataDir(t), 'wordnet.nt')
const names = await wordnet(graph, LINES)

t.test('a newcomer installs, fills a Safe, asks, and loses nothing', { jobs: 2 }, async t => {
  const all = NODES.map(node =>
    t.test(`on Node ${node.major}`, async t => {
      const installation = await install(file, node)
      installed.set(node.major, installation)
      t.notMatch(installation.printed, WARNING, 'npm ci warns of nothing')

      const service = await Service.start(t, installation, dataDir(t))
      t.equal(await service.setUp('ada@example.org', 'correct horse battery'), 303)
      const safe = await service.svc('safe', 'add', 'WordNet', '--owner', 'ada@example.org')
      await service.svc('safe', 'import', 'WordNet', graph)
      const token = await service.svc('connection', 'token', 'ada@example.org', '--safe', 'WordNet')
      t.equal(await answered(service, { safe, token }, questions()), QUESTIONS)

      await service.stop('SIGKILL')
      await service.start()
      t.equal(service.setupLink, null, 'the account is there')
      t.match(await service.ask({ safe, token }, `What is ${names[0]}?`), names[0])
      t.equal(await service.stop('SIGTERM'), 0)
      t.notMatch(service.printed, WARNING, 'nothing is deprecated or experimental')
    }),
  )
  await Promise.all(all)
})

t.test('the packed service installs on every Node without a warning of ours, and runs', async t => {
  const made = installed.get(NEWEST_LTS.major)
  if (!made) throw new Error(`Node ${NEWEST_LTS.major} was not installed`)
  const packed = await pack(made, NEWEST_LTS)
  for (const node of NODES) {
    const installation = await installPackage(t, node, packed)
    // npm 11 warns about the install script of @photostructure/sqlite, which is not needed.
    t.notMatch(installation.printed.replaceAll(/^npm warn install-scripts.*$/gm, ''), WARNING)
    t.match(installation.printed, /added (\d\d|10\d|11\d) packages/)
    const service = await Service.start(t, installation, dataDir(t), ['dist/cli.js', 'start'])
    t.equal(await service.setUp('ada@example.org', 'correct horse battery'), 303)
    await service.svc('safe', 'add', 'Readers', '--owner', 'ada@example.org')
    for (const file of bundledReaders(dataDir(t))) await service.svc('safe', 'import', 'Readers', file)
    t.match(
      await service.svc('ask', 'Readers', 'Who does Ada Lovelace know?'),
      'Ada Lovelace — knows → Carl Cox',
    )
    t.equal(await service.stop('SIGTERM'), 0)
    t.notMatch(service.printed, WARNING)
  }
})

t.test('a folder that a release wrote moves from one Node to the next, and back', async t => {
  const folder = dataDir(t)
  const fixture = new URL('../../fixtures/releases/0021-apps/sqlite.db.gz', import.meta.url)
  writeFileSync(join(folder, 'svc.db'), gunzipSync(readFileSync(fixture)))
  const safe = 'Notes'
  const oldest = NODES[0]
  for (const [round, node] of [...NODES, oldest].entries()) {
    const installation = installed.get(node?.major ?? 0)
    if (!installation) throw new Error(`Node ${node?.major} was not installed`)
    const service = await Service.start(t, installation, folder)
    t.match(await service.svc('ask', safe, 'Where does John Smith work?'), 'Anthropic')
    const file = join(folder, `round-${round}.jsonl`)
    const line = { type: 'entity', name: `Visitor ${round}`, entityType: 'visitor', observations: ['Came.'] }
    writeFileSync(file, JSON.stringify(line))
    await service.svc('safe', 'import', safe, file)
    for (let before = 0; before <= round; before++)
      t.match(await service.svc('ask', safe, `Who is Visitor ${before}?`), `Visitor ${before}`)
    t.equal(await service.stop('SIGTERM'), 0)
  }
})

/** @returns files whose readers are packages that the build splits: DOCX, Turtle, JSON-LD and RDF/XML */
function bundledReaders(folder: string): string[] {
  const ada = { '@id': 'x:ada', name: 'Ada Lovelace', knows: { '@id': 'x:carl' } }
  const carl = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="https://schema.org/">
    <s:Person rdf:about="x:carl"><s:name>Carl Cox</s:name></s:Person></rdf:RDF>`
  const written = {
    'ada.jsonld': JSON.stringify({ '@context': 'https://schema.org/', ...ada }),
    'carl.rdf': carl,
  }
  for (const [name, text] of Object.entries(written)) writeFileSync(join(folder, name), text)
  const fixtures = ['documents/report.docx', 'elements.ttl'].map(name => join(rootDir, 'test/fixtures', name))
  return [...fixtures, ...Object.keys(written).map(name => join(folder, name))]
}

function questions(): string[] {
  const step = names.length / QUESTIONS
  return Array.from({ length: QUESTIONS }, (_, n) => names[Math.floor(n * step)] ?? '')
}

/** @returns how many of the questions were answered with the name they ask for */
async function answered(service: Service, access: Access, about: string[]): Promise<number> {
  let found = 0
  const waiting = about.values()
  const lane = async () => {
    for (const name of waiting) {
      const text = await service.ask(access, `What is ${name}?`)
      if (text.toLowerCase().includes(name.toLowerCase())) found++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return found
}
