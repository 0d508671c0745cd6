import { words } from '../words.js'

/** A part of `npm run test:deep` that can run by itself: `npm run test:deep races`. */
export interface Part {
  name: string
  /** Substrings of the paths of its test files. */
  files: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Whether the lines and branches that its files reach are counted (.c8rc.json). */
  measuresCoverage?: boolean
  /** A folder with packages that it needs besides those of the root. */
  packages?: string
  /** Programs that it needs besides those of all tests, as Debian packages. */
  programs?: readonly string[]
  /** Approximate duration on two idle processors. */
  minutes: number
  /** Prefixes of paths: a change below one of these requires the part. */
  rooms: readonly string[]
}

/** Pages whose lists and forms reach the stores. The others are the same on every set-up. */
const PAGES = words(`
  activity browse connection documents duplicates export fact-times files. home images login notes paging people search
  sign-up strangers suggest system
`).map(page => `pages/${page}`)

/**
 * Tests that depend on the stores only through the service itself: they run once in `npm test`, and here on Postgres
 * and Redis.
 */
const ON_POSTGRES = [
  ...words('accounts/ activity/ api/ http/ mail/ mcp/ oauth/ proposals/ safes/'),
  ...PAGES,
].map(path => `test/integration/${path}`)

/** Tests that use data in Redis: the others meet Redis in the part `postgres`. */
const IN_REDIS = words(`
  accounts/ http/ mcp/ oauth/ pages/connection pages/csrf pages/login pages/sign-up
`).map(path => `test/integration/${path}`)

const STORES = [
  'platform/storage/',
  'domain/oauth/stores/',
  'domain/accounts/stores/',
  'domain/safes/stores/',
  'plugins/',
  'domains.ts',
]

/** The contracts of data in Postgres, and whole flows. Tests that act as a second client of Postgres are excluded. */
const IN_POSTGRES = words(`
  accounts/stores activity/ oauth/authorization-request-store oauth/grant-store oauth/sweep-expired
  postgres/concurrent-writes postgres/move postgres/names postgres/safe-id postgres/two-processes proposals/ safes/
  set-ups storage/database
`).map(path => `test/integration/${path}`)

/** Parts with a file that takes minutes come first: the others run beside it. */
export const PARTS: readonly Part[] = [
  {
    name: 'faults',
    files: ['test/deep/faults/'],
    packages: 'test/deep',
    minutes: 9,
    rooms: [
      'platform/storage/',
      'platform/processes/',
      'domain/safes/',
      'domain/activity/',
      'plugins/',
      'server.ts',
    ],
  },
  {
    name: 'nodes',
    files: ['test/deep/nodes/'],
    packages: 'test/deep/nodes',
    minutes: 8,
    rooms: ['package', 'scripts/', 'Dockerfile', 'deploy/', 'server.ts', 'cli.ts'],
  },
  {
    name: 'limits',
    files: ['test/deep/limits/'],
    minutes: 7,
    rooms: ['engine/formats/', 'domain/safes/', 'engine/graph/', 'platform/storage/', 'platform/processes/'],
  },
  {
    name: 'redis',
    files: IN_REDIS,
    env: { SET_UP: 'redis' },
    minutes: 3,
    rooms: STORES,
  },
  {
    name: 'postgres',
    files: ON_POSTGRES,
    env: { SET_UP: 'postgres', FC_RUNS: '60' },
    minutes: 7,
    rooms: STORES,
  },
  ...(['transaction', 'session'] as const).map(mode => ({
    name: `pooler-${mode}`,
    files: [...IN_POSTGRES, 'test/deep/races/three'],
    env: { SET_UP: 'postgres', POOLER: mode },
    programs: ['pgbouncer'],
    minutes: 3,
    rooms: ['platform/storage/', 'domain/oauth/stores/', 'domain/accounts/stores/', 'domain/safes/stores/'],
  })),
  {
    name: 'proxies',
    files: ['test/deep/proxies/'],
    programs: ['nginx', 'caddy', 'haproxy', 'apache2'],
    minutes: 2,
    rooms: ['docs/proxies.md', 'domain/doctor/', 'plugins/host.ts', 'routes/'],
  },
  {
    name: 'pooler',
    files: ['test/deep/pooler/'],
    programs: ['pgbouncer'],
    minutes: 1,
    rooms: ['platform/storage/'],
  },
  { name: 'stores', files: ['test/deep/stores/'], packages: 'test/deep', minutes: 3, rooms: STORES },
  {
    name: 'openid',
    files: ['test/deep/openid/'],
    packages: 'test/deep',
    minutes: 1,
    rooms: ['domain/accounts/', 'routes/pages/account/', 'plugins/'],
  },
  {
    name: 'races',
    files: ['test/deep/races/'],
    minutes: 3,
    rooms: ['domain/oauth/', 'domain/accounts/', 'platform/storage/', 'platform/limits/'],
  },
  {
    name: 'looks',
    files: ['test/deep/looks/'],
    minutes: 3,
    rooms: ['views/', 'public/', 'routes/pages/', 'engine/pictures/', 'engine/rendering/'],
  },
  {
    name: 'attack',
    files: ['test/deep/attack/'],
    packages: 'test/deep',
    minutes: 2,
    rooms: words(
      'routes/ engine/rendering/ engine/formats/ domain/accounts/ domain/proposals/ cli/ domain/safes/imports/ plugins/ platform/limits/',
    ),
  },
  {
    name: 'fuzz',
    files: ['test/deep/fuzz/'],
    env: { FUZZ_REQUESTS: '50000' },
    minutes: 5,
    rooms: ['routes/', 'plugins/', 'domain/oauth/', 'mcp/', 'platform/limits/'],
  },
  {
    name: 'expressions',
    files: ['test/deep/regular-expressions/'],
    packages: 'test/deep',
    minutes: 4,
    rooms: ['engine/', 'domain/oauth/', 'domain/safes/', 'platform/common/'],
  },
  {
    name: 'tokens',
    files: ['test/deep/tokens/'],
    packages: 'test/deep',
    minutes: 1,
    rooms: ['domain/safes/ask/'],
  },
  {
    name: 'clients',
    files: ['test/deep/clients/'],
    packages: 'test/deep/clients',
    minutes: 4,
    rooms: ['mcp/', 'domain/oauth/', 'routes/mcp', 'routes/oauth/', 'domain/oauth/clients/known/'],
  },
  {
    name: 'coverage',
    files: ['test/unit/', 'test/integration/'],
    measuresCoverage: true,
    packages: 'test/deep',
    minutes: 5,
    rooms: ['.c8rc.json'],
  },
]
