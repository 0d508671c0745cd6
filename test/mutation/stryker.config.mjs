const { MUTATION_ROOMS = '', MUTATION_TESTS } = process.env
const isUnit = MUTATION_TESTS === 'unit'
/** The folders whose code is changed; each is tested by the folders of the same name below `test/`. */
const rooms = MUTATION_ROOMS
  ? MUTATION_ROOMS.split(',')
  : ['oauth', 'mcp', 'accounts', 'safes', 'graph', 'formats']
const kinds = isUnit ? ['unit'] : ['unit', 'integration']
/** The folders of rooms that are not at the root. */
const FLOORS = {
  oauth: 'domain/',
  accounts: 'domain/',
  safes: 'domain/',
  graph: 'engine/',
  formats: 'engine/',
}
/** The folders of other names whose tests reach what those of the room do not. */
const OTHERS = {
  accounts: ['cli', 'mail', 'pages'],
  graph: ['safes'],
  formats: ['safes'],
  safes: ['activity', 'api', 'backup', 'cli', 'mcp', 'metrics', 'pages', 'postgres', 'proposals'],
}
const foldersOf = names => names.flatMap(name => kinds.map(kind => `test/${kind}/${name}`))
/** Tests that `npm test` does not run, of what they alone reach: signing in at an OpenID provider. */
const DEEP = { accounts: ['test/deep/openid'] }
const deep = isUnit ? [] : rooms.flatMap(room => DEEP[room] ?? [])
const others = rooms.flatMap(room => OTHERS[room] ?? []).filter(name => !rooms.includes(name))

export default {
  mutate: [...rooms.map(room => `${FLOORS[room] ?? ''}${room}/**/*.ts`), '!mcp/app/**'],
  packageManager: 'npm',
  plugins: ['./test/mutation/tap-runner.mjs', './test/mutation/wording.mjs'],
  buildCommand: 'node test/mutation/build.mjs',
  testRunner: 'tap-in-process',
  tapInProcess: {
    own: foldersOf(rooms),
    others: [...foldersOf([...new Set(others)]), ...deep],
    // Nor are tests of a mutant begun after this time: the score is what it is at least.
    longestMs: 20_000,
    // Parts of the names of tests that take 2 to 10 seconds for every mutant in their way.
    without: [
      '.own.test.ts',
      'connections each can be found',
      'of 10,000 connections',
      'redis-stall',
      'redis-cut',
      'result-size',
      'chromium',
      // What it shows is in dist/, which is not built here.
      'svc is linked to a page for clients that declare',
      'of 20,000 concurrent calls',
    ],
  },
  // All tests of a room, on a machine that does something else as well.
  dryRunTimeoutMinutes: 30,
  coverageAnalysis: 'perTest',
  warnings: { unknownOptions: false },
  ignorers: ['wording'],
  // Nothing checks types here, and the comments against it would change the HTML that tests read.
  disableTypeChecks: false,
  // What runs once, when a module is loaded: each would need a process of its own and all tests.
  ignoreStatic: true,
  ignorePatterns: ['.tap', '.transpiled', 'bench', 'dist', 'reports'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  concurrency: 2,
  tempDirName: '.stryker-tmp',
  incremental: !isUnit,
  incrementalFile: 'reports/mutation/incremental.json',
  // What survives the unit tests may well be noticed by the others.
  thresholds: { high: 90, low: 85, break: isUnit ? null : 85 },
}
