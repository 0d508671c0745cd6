// npm run bench -- import-rate [FACTS] [--before CHECKOUT] — how fast `svc safe import` reads FACTS facts (1,000,000) of JSONL,
// compared with the same rows written into the same tables in one bare transaction. Embedded, without a server. --before:
// three rounds in turns with another built checkout.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rootDir } from '../../platform/common/package.js'
import { runCli } from '../../test/built-cli.js'
import { childrenOf, machine, memoryMb, processorMs, timed } from '../figures.js'
import { writeBare } from './bare.js'
import { writeFacts } from './facts.js'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { before: { type: 'string' } } })
const facts = Number(positionals[0] ?? 1_000_000)
const builds = values.before ? { before: values.before, now: rootDir } : { now: rootDir }
const rounds = values.before ? 3 : 1
const SAMPLE_MS = 50
const BUDGET = { ratio: 0.5, memoryMb: 300, togetherMb: 600 }

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-import-rate-'))
try {
  const jsonl = join(folder, 'facts.jsonl')
  await writeFacts(jsonl, facts)
  console.log(
    `${machine()}; ${facts.toLocaleString('en')} facts, ${(statSync(jsonl).size / 1e6).toFixed(0)} MB\n`,
  )
  for (let round = 0; round < rounds; round++)
    for (const [name, files] of Object.entries(builds)) await measure(name, jsonl, files)
} finally {
  rmSync(folder, { recursive: true })
}

async function measure(name: string, jsonl: string, files: string): Promise<void> {
  const made = await importInto(name, jsonl, files)
  const { seconds, cpuSeconds, memoryMb, togetherMb } = made
  const bare = await writeBare(made.dataDir, made.safeId, 1, join(folder, 'bare'))
  console.log(
    `${name}: ${seconds.toFixed(1)} s, processor ${cpuSeconds.toFixed(1)} s; ${memoryMb.toFixed(0)} MB at most (budget ${BUDGET.memoryMb}), ${togetherMb.toFixed(0)} MB with its children (${BUDGET.togetherMb}); ${bare.rows.toLocaleString('en')} rows in one bare transaction ${bare.seconds.toFixed(1)} s, processor ${bare.cpuSeconds.toFixed(1)} s: the import is ${(bare.seconds / seconds).toFixed(2)} as fast (${BUDGET.ratio}), by processor time ${(bare.cpuSeconds / cpuSeconds).toFixed(2)}`,
  )
  rmSync(made.dataDir, { recursive: true })
}

interface Made {
  dataDir: string
  safeId: string
  seconds: number
  /** Processor time of the command and its children, which other programs affect less than the wall clock. */
  cpuSeconds: number
  /** Of the command alone, and with its children. */
  memoryMb: number
  togetherMb: number
}

async function importInto(name: string, file: string, files: string): Promise<Made> {
  const dataDir = join(folder, `data-${name}`)
  const env = { DATA_DIR: dataDir }
  const svc = (args: string[], input = '') => runCli(args, env, input, files)
  await svc(['account', 'add', 'ann@bench.example', '--password-stdin'], 'a password for a bench\n')
  await svc(['safe', 'add', 'Large', '--owner', 'ann@bench.example'])
  const [{ id: safeId }] = JSON.parse(await svc(['safe', 'list', '--json']))
  const args = [join(files, 'dist', 'cli.js'), 'safe', 'import', safeId, file]
  const { result: used, clock } = await timed(async () => {
    const options = { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' as const }
    const command = spawn(process.execPath, args, options)
    const used = watch(command)
    const [code] = await once(command, 'close')
    if (code !== 0) throw new Error(`svc safe import ${file} exited with ${code}`)
    return used()
  })
  return { dataDir, safeId, seconds: clock / 1000, ...used }
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
