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
  activity: {
    file: 'activity/run.ts',
    compiled: true,
    about: 'what recording the activity adds to a question',
  },
  attack: { file: 'attack/run.ts', build: 'bundles', about: 'what an honest user gets beside each attack' },
  answerable: { file: 'answerable/run.ts', about: 'when an answer page says that nothing answers' },
  answers: { file: 'answers/run.ts', build: 'files', about: 'forty answers, for a person to read' },
  backup: { file: 'backup.ts', about: 'a backup of a million facts, and its restore' },
  build: { file: 'graph/build.ts', build: 'files', about: 'memory of building the index of a million facts' },
  clone: { file: 'clone/run.ts', about: 'from a clone, or the packed file, to the first page' },
  duplicates: { file: 'duplicates/run.ts', build: 'files', about: 'how many duplicates are found' },
  fleet: {
    file: 'fleet/run.ts',
    node: ['--expose-gc'],
    about: 'a million Safes on 1 to 64 processes, simulated',
  },
  formats: { file: 'formats/run.ts', about: 'the share of the files of a folder that is read, by format' },
  'formats questions': {
    file: 'formats/questions.ts',
    about: 'questions over imported mail, notes and sessions',
  },
  graph: { file: 'graph/run.ts', build: 'files', about: 'time and memory of the index and of questions' },
  'hostile-files': { file: 'import/hostile-files.ts', about: 'how long files hold the event loop' },
  hub: { file: 'graph/hub.ts', about: 'every mode at an entity with 100,000 relations' },
  import: { file: 'import/run.ts', build: 'bundles', about: 'what others wait during a large import' },
  'many-imports': { file: 'many-imports/run.ts', about: 'questions to a Safe of many imports' },
  metrics: { file: 'metrics/run.ts', compiled: true, about: 'what measuring adds to a request' },
  notes: { file: 'import/notes.ts', build: 'bundles', about: 'importing 10,000 notes' },
  overload: { file: 'overload/run.ts', build: 'bundles', about: 'half, all and three times the load' },
  pages: { file: 'pages/run.ts', about: 'every page of a Safe with a million facts' },
  quality: { file: 'quality/run.ts', about: 'how good answers are, on sets of questions' },
  reading: { file: 'reading/run.ts', build: 'files', about: 'what reading files costs' },
  'reading hostile': {
    file: 'reading/hostile.ts',
    build: 'bundles',
    about: 'memory of the service, and what others wait, beside hostile files',
  },
  'redis-memory': { file: 'redis-memory/run.ts', about: 'the memory of a million connections in Redis' },
  rendering: {
    file: 'rendering/rendering.ts',
    about: 'the words and the marks of every note of a folder, as pages show them',
  },
  sqlite: { file: 'sqlite/run.ts', about: 'the SQLite drivers' },
  sync: { file: 'sync.ts', build: 'bundles', about: 'keeping a Safe in step with 10,000 notes' },
  vault: { file: 'quality/vault.ts', about: 'questions over a folder of notes' },
  wordnet: { file: 'wordnet/run.ts', build: 'bundles', about: 'WordNet, imported and asked' },
}

const [name = '', ...options] = process.argv.slice(2)
if (Object.hasOwn(BENCHES, `${name} ${options[0]}`)) run(BENCHES[`${name} ${options.shift()}`])
else if (Object.hasOwn(BENCHES, name)) run(BENCHES[name])
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
