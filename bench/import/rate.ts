// npm run bench -- import-rate [FACTS] — how fast `svc safe import` reads FACTS facts (1,000,000) of JSONL, compared with the
// same rows written into the same tables in one bare transaction; and CSV, N-Triples and Turtle compared with JSONL. Embedded,
// without a server. About a minute is spent on the exports that create the other files.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { urn } from '../../engine/formats/rdf/urn.js'
import { rootDir } from '../../platform/common/package.js'
import { runCli } from '../../test/built-cli.js'
import { machine, memoryMb, ofProcess, processorMs, timed } from '../figures.js'
import { writeBare } from './bare.js'
import { writeFacts } from './facts.js'

const facts = Number(process.argv[2] ?? 1_000_000)
const SAMPLE_MS = 50
const KINDS = ['entity', 'predicate', 'passage', 'type'] as const
const SHORTENED = new RegExp(`<${urn('(entity|predicate|passage|type)' as never, '')}([\\w%-]+)>`, 'g')
const BUDGET = { ratio: 0.5, memoryMb: 350, format: 1.5 }

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-import-rate-'))
try {
  await run()
} finally {
  rmSync(folder, { recursive: true })
}

async function run(): Promise<void> {
  const jsonl = join(folder, 'facts.jsonl')
  await writeFacts(jsonl, facts)
  console.log(`${machine()}; ${facts.toLocaleString('en')} facts\n`)
  const first = await importInto('jsonl', jsonl)
  tell('JSONL', first, '')
  const bare = await writeBare(first.dataDir, first.safeId, 1, join(folder, 'bare'))
  console.log(
    `  ${bare.rows.toLocaleString('en')} rows in one bare transaction: ${bare.seconds.toFixed(1)} s; the import is ${(bare.seconds / first.seconds).toFixed(2)} as fast (budget ${BUDGET.ratio}), by processor time (${bare.cpuSeconds.toFixed(1)} s) ${(bare.cpuSeconds / first.cpuSeconds).toFixed(2)}`,
  )
  const csv = await exported(first, 'csv')
  const ntriples = await exported(first, 'ntriples')
  const turtle = join(folder, 'facts.ttl')
  await abbreviate(ntriples, turtle)
  rmSync(first.dataDir, { recursive: true })
  for (const [name, file] of Object.entries({ CSV: csv, 'N-Triples': ntriples, Turtle: turtle })) {
    const made = await importInto(name, file)
    const times = (of: 'seconds' | 'cpuSeconds') => (made[of] / first[of]).toFixed(2)
    tell(
      name,
      made,
      `, ${times('seconds')} × JSONL (budget ${BUDGET.format}), by processor time ${times('cpuSeconds')}`,
    )
    rmSync(made.dataDir, { recursive: true })
  }
}

interface Made {
  dataDir: string
  safeId: string
  megabytes: number
  seconds: number
  /** Processor time of the command and its children, which other programs affect less than the wall clock. */
  cpuSeconds: number
  /** Of the command alone, and with its children. */
  memoryMb: number
  togetherMb: number
}

async function importInto(name: string, file: string): Promise<Made> {
  const dataDir = join(folder, `data-${name}`)
  const env = { DATA_DIR: dataDir }
  await runCli(['account', 'add', 'ann@bench.example', '--password-stdin'], env, 'a password for a bench\n')
  await runCli(['safe', 'add', 'Large', '--owner', 'ann@bench.example'], env)
  const [{ id: safeId }] = JSON.parse(await runCli(['safe', 'list', '--json'], env))
  const args = [join(rootDir, 'dist', 'cli.js'), 'safe', 'import', safeId, file]
  const { result: used, clock } = await timed(async () => {
    const options = { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' as const }
    const command = spawn(process.execPath, args, options)
    const used = watch(command)
    const [code] = await once(command, 'close')
    if (code !== 0) throw new Error(`svc safe import ${file} exited with ${code}`)
    return used()
  })
  return { dataDir, safeId, megabytes: statSync(file).size / 1e6, seconds: clock / 1000, ...used }
}

/** Samples memory and processor time of a process, and of it and its children together. */
function watch({ pid }: ChildProcess): () => Pick<Made, 'cpuSeconds' | 'memoryMb' | 'togetherMb'> {
  const processor = new Map<string, number>()
  const most = { memoryMb: 0, togetherMb: 0 }
  const timer = setInterval(() => {
    const all = [String(pid), ...childrenOf(pid)]
    const resident = all.map(one => memoryMb(one, 'VmRSS'))
    most.memoryMb = Math.max(most.memoryMb, resident[0] ?? 0)
    most.togetherMb = Math.max(most.togetherMb, sumOf(resident))
    for (const one of all) processor.set(one, Math.max(processor.get(one) ?? 0, processorMs(one)))
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return { cpuSeconds: sumOf([...processor.values()]) / 1000, ...most }
  }
}

function sumOf(figures: readonly number[]): number {
  return figures.reduce((sum, one) => sum + one, 0)
}

function childrenOf(pid: unknown): string[] {
  const parent = new RegExp(`\\) \\S ${pid} `)
  return readdirSync('/proc').filter(entry => /^\d+$/.test(entry) && parent.test(ofProcess(entry, 'stat')))
}

async function exported({ dataDir, safeId }: Made, format: string): Promise<string> {
  const file = join(folder, `facts.${format === 'csv' ? 'csv' : 'nt'}`)
  await runCli(['safe', 'export', safeId, '--output', file, '--format', format], { DATA_DIR: dataDir })
  return file
}

/** The same triples with prefixes and without repeated subjects, as people write Turtle. */
async function abbreviate(ntriples: string, turtle: string): Promise<void> {
  const output = createWriteStream(turtle)
  for (const kind of KINDS) output.write(`@prefix ${kind}: <${urn(kind, '')}> .\n`)
  let subject = ''
  for await (const line of createInterface(createReadStream(ntriples))) {
    const short = line.replace(SHORTENED, '$1:$2').slice(0, -' .'.length)
    const at = short.indexOf(' ')
    const repeats = short.slice(0, at) === subject
    const text = repeats ? ` ;\n ${short.slice(at)}` : `${subject === '' ? '' : ' .\n'}${short}`
    subject = short.slice(0, at)
    if (!output.write(text)) await once(output, 'drain')
  }
  output.end(' .\n')
  await once(output, 'close')
}

function tell(
  name: string,
  { megabytes, seconds, cpuSeconds, memoryMb, togetherMb }: Made,
  more: string,
): void {
  const rate = Math.round(facts / seconds).toLocaleString('en')
  console.log(
    `${name}, ${megabytes.toFixed(0)} MB: ${seconds.toFixed(1)} s (processor: ${cpuSeconds.toFixed(1)} s), ${rate} facts/s${more}; ${memoryMb.toFixed(0)} MB at most (budget ${BUDGET.memoryMb}), ${togetherMb.toFixed(0)} MB with its children`,
  )
}
