import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { rootDir } from '../../platform/common/package.js'

/** The rooms that each room may import: the house of CONTRIBUTING.md, in which imports run downward only. */
const ROOMS: Record<string, string> = {
  'cli.ts': 'cli common serve.ts',
  'server.ts': 'common serve.ts',
  'serve.ts': 'app.ts common plugins',
  'app.ts': 'domains.ts oauth plugins routes',
  'domains.ts': 'accounts common oauth plugins routes safes',
  cli: 'accounts common doctor domains.ts formats graph mcp oauth plugins routes safes storage views',
  routes:
    'accounts activity common doctor formats graph limits mcp oauth pictures plugins proposals rendering safes views',
  plugins: 'accounts activity common doctor limits mail oauth proposals safes storage views',
  mcp: 'activity common graph oauth proposals safes',
  doctor: 'accounts common mail oauth storage',
  proposals: 'activity common formats safes storage',
  oauth: 'activity common limits storage',
  accounts: 'activity common limits storage',
  safes: 'activity common formats graph limits processes rendering storage',
  mail: 'activity common',
  limits: 'common',
  activity: 'common storage',
  views: 'common',
  formats: 'common graph syntax',
  graph: 'common',
  storage: 'common processes',
  processes: '',
  pictures: '',
  rendering: 'common syntax',
  syntax: 'common',
  common: '',
}

const PROCESSES = ['node:child_process', 'node:worker_threads']
const DATABASES = ['kysely', 'pg', 'better-sqlite3', '@photostructure/sqlite', 'ioredis']
const FASTIFY = ['fastify', 'fastify-plugin']

/** Packages that a room must not use. */
const WITHOUT: Record<string, readonly string[]> = {
  routes: DATABASES,
  mcp: [...DATABASES, ...FASTIFY],
  formats: [...DATABASES, ...FASTIFY, ...PROCESSES],
  rendering: [...DATABASES, ...FASTIFY, ...PROCESSES],
  graph: [...DATABASES, ...FASTIFY, ...PROCESSES, 'node:fs', 'node:fs/promises'],
  ...Object.fromEntries(
    ['doctor', 'proposals', 'oauth', 'accounts', 'safes', 'mail', 'limits', 'activity', 'storage'].map(
      room => [room, FASTIFY],
    ),
  ),
}

interface Import {
  from: string
  /** A file of the project, or a package. */
  to: string
}

const FLOORS = ['domain', 'engine', 'platform']
/** The second folder of a file in one of the floors, else the first. */
const roomOf = (file: string): string => {
  const [first = '', second = ''] = file.split('/')
  return FLOORS.includes(first) ? second : first
}

const isRoom = (file: string) => roomOf(file) in ROOMS && !file.startsWith('mcp/app/')

function importsOf(file: string): Import[] {
  const text = readFileSync(join(rootDir, file), 'utf8')
  return [...text.matchAll(/(?:\bfrom |\bimport\(|^import )'([^']+)'/gm)].map(([, specifier = '']) => ({
    from: file,
    to: specifier.startsWith('.') ? join(dirname(file), specifier).replace(/\.js$/, '.ts') : specifier,
  }))
}

const folders = [...FLOORS, 'cli', 'mcp', 'plugins', 'routes', 'views']
const inside = folders.flatMap(folder =>
  readdirSync(join(rootDir, folder), { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file}`),
)
const files = [...Object.keys(ROOMS), ...inside].filter(file => file.endsWith('.ts') && isRoom(file))
const imports = files.flatMap(importsOf)
const shown = ({ from, to }: Import) => `${from} imports ${to}`

t.test('a room imports only the rooms below it', async t => {
  t.ok(imports.length > 1_000)
  const wrong = imports.filter(({ from, to }) => {
    const [room, other] = [roomOf(from), roomOf(to)]
    return isRoom(to) && room !== other && !ROOMS[room]?.split(' ').includes(other)
  })
  t.strictSame(wrong.map(shown), [])
})

t.test('only plugins and the room of a store import it', async t => {
  const wrong = imports.filter(({ from, to }) => {
    const isStore = to.includes('/stores/') && !to.endsWith('/types.ts')
    return isStore && ![roomOf(to), 'plugins'].includes(roomOf(from))
  })
  t.strictSame(wrong.map(shown), [])
})

t.test('domains do without Fastify, and what is no store without a database', async t => {
  const wrong = imports.filter(({ from, to }) => WITHOUT[roomOf(from)]?.includes(to))
  t.strictSame(wrong.map(shown), [])
})

t.test('a room of the engine is entered by its door: others import its index.ts or a worker', async t => {
  const wrong = imports.filter(({ from, to }) => {
    const room = /^engine\/(\w+)\/(?!index\.ts$|.*-worker\.ts$)/.exec(to)?.[1]
    return room !== undefined && room !== roomOf(from)
  })
  t.strictSame(wrong.map(shown), [])
})

t.test('pictures/ imports nothing, because it also runs in browsers', async t => {
  const outside = imports.filter(({ from, to }) => roomOf(from) === 'pictures' && roomOf(to) !== 'pictures')
  t.strictSame(outside.map(shown), [])
})

t.test('no file imports itself by way of others, types included', async t => {
  const targets = new Map<string, string[]>()
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to])
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  t.strictSame(circles, [])
})
