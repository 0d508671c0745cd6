export default {
  mutate: ['oauth/**/*.ts', 'mcp/**/*.ts'],
  packageManager: 'npm',
  plugins: ['./test/mutation/tap-runner.mjs', './test/mutation/wording.mjs'],
  testRunner: 'tap-in-process',
  testRunnerNodeArgs: ['--import=./test/mutation/tsx.mjs'],
  tapInProcess: {
    folders: ['test/unit/oauth', 'test/unit/mcp', 'test/integration/oauth', 'test/integration/mcp'],
    // Parts of the names of tests that take 2 to 10 seconds for every mutant in their way.
    without: [
      'of 50000 connections',
      'of 10,000 connections',
      'nobody keeps us waiting',
      'redis-stall',
      'redis-cut',
      'cancelled',
      'result-size',
      'of 20,000 concurrent calls',
    ],
  },
  coverageAnalysis: 'perTest',
  warnings: { unknownOptions: false },
  ignorers: ['wording'],
  // What runs once, when a module is loaded: each would need a process of its own and all tests.
  ignoreStatic: true,
  ignorePatterns: ['.tap', 'bench', 'docs', 'reports'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  concurrency: 2,
  tempDirName: '.stryker-tmp',
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  thresholds: { high: 90, low: 85, break: 85 },
}
