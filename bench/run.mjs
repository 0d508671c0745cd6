// npm run bench -- NAME [options]: installs the packages of bench/package.json, builds what the benchmark measures and
// runs it. Without a name it lists the benchmarks. docs/benchmarks.md has the results, the head of each file its options.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { installPackages } from '../scripts/install-packages.mjs'

/**
 * `build`: what `npm run build` makes before, bundles or (`files`) single files that the benchmark imports.
 * `compiled`: compiled like the service and run without tsx, which would add to what is measured.
 */
const BENCHES = {
  requests: { file: 'requests.ts', compiled: true, about: 'requests, beside bare routes and other software' },
  attack: { file: 'attack/run.ts', build: 'bundles', about: 'what an honest user gets beside each attack' },
  changes: { file: 'changes/run.ts', about: 'what a change of an index costs, and what it does to answers' },
  folder: {
    file: 'changes/folder.ts',
    build: 'bundles',
    about: 'what a changed note of a synced folder costs, beside another build and qmd',
  },
  'many-safes': {
    file: 'changes/many-safes.ts',
    build: 'bundles',
    about: 'start and first answers of a service with 10,000 Safes',
  },
  corpora: {
    file: 'corpora/run.ts',
    compiled: true,
    about: 'how many files of a folder are read, time and memory for the largest',
  },
  graph: { file: 'graph/run.ts', build: 'files', about: 'time and memory of the index and of questions' },
  import: { file: 'import/run.ts', build: 'bundles', about: 'what others wait during a large import' },
  'import-rate': {
    file: 'import/rate.ts',
    build: 'bundles',
    about: 'how fast JSONL is imported, beside one bare transaction and another build',
  },
  leads: {
    file: 'leads/run.ts',
    about: 'how often an answer begins with what is right, on questions about public notes',
  },
  quality: { file: 'quality/run.ts', about: 'how good answers are, on sets of questions' },
}

const [name = '', ...options] = process.argv.slice(2)
if (Object.hasOwn(BENCHES, name)) run(BENCHES[name])
else {
  const rows = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(17)}${about}`)
  console.log(['npm run bench -- NAME [options]', ...rows].join('\n'))
  process.exitCode = name === '' ? 0 : 1
}

function run({ file, build, compiled, node = [] }) {
  installPackages('bench')
  if (compiled) compile()
  if (compiled || build === 'bundles') execFileSync('node', ['scripts/build.mjs'], { stdio: 'inherit' })
  if (build === 'files') execFileSync('node', ['scripts/build.mjs', '--files'], { stdio: 'inherit' })
  const source = ['--import=tsx', '--import=./test/tsx-in-threads.mjs', `bench/${file}`]
  const args = compiled ? [`dist/bench/${file.replace('.ts', '.js')}`] : source
  process.exitCode = spawnSync('node', [...node, ...args, ...options], { stdio: 'inherit' }).status ?? 1
}

function compile() {
  execFileSync('npx', ['tsc', '-p', 'bench/tsconfig.json'], { stdio: 'inherit' })
  // Compiled benchmarks find their packages as the sources do.
  if (!existsSync('dist/bench/node_modules'))
    symlinkSync('../../bench/node_modules', 'dist/bench/node_modules')
}
