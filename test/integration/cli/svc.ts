import { spawn } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { run } from '../../../cli/run.js'
import { fileReaders } from '../../file-readers.js'
import { CHEAP } from '../../helper.js'
import { builtFolder } from '../../servers.js'

/** An import prints this every five seconds, which a busy machine may delay. */
const PROGRESS = /^[\d,]+ rows, .* MB.*\n|^[\d.]+ of .* sent\n/gm

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/**
 * Starts the built command as a child process on a data folder. `input` is null: its standard input stays open;
 * `through` is a command that wraps it.
 */
export async function start(
  dataDir: string,
  args: string[],
  input: string | null = '',
  more: Record<string, string> = {},
  through: string[] = [],
) {
  const cli = join(await builtFolder(), 'dist', 'cli.js')
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...more }
  const [command = '', ...rest] = [...through, process.execPath, cli, ...args]
  const child = spawn(command, rest, { env })
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    outcome.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    outcome.stderr += chunk
  })
  child.stdin.on('error', () => {})
  if (input !== null) child.stdin.end(input)
  const ended = new Promise<Outcome>(resolve => {
    child.once('close', code => resolve({ ...outcome, code }))
  })
  return { child, ended, printed: outcome }
}

export const svc = async (dataDir: string, args: string[], input?: string) =>
  (await start(dataDir, args, input)).ended

/** The same with a terminal on which a person types `input`. */
export const onTerminal = (
  dataDir: string,
  args: string[],
  input: string,
  env: Record<string, string> = {},
) => runWith(dataDir, args, Object.assign(Readable.from([input]), { isTTY: true }), env)

/** The same command inside this process: faster, for tests that need no process. */
export const runHere = (
  dataDir: string,
  args: string[],
  input = '',
  env: Record<string, string> = {},
): Promise<Outcome> => runWith(dataDir, args, Readable.from([input]), env)

/** A command that runs, here or as a process. */
export interface Started {
  /** What it has printed so far. */
  printed: Outcome
  ended: Promise<Outcome>
  /** Emits `data` when the command prints something for people. */
  stderr: EventEmitter
}

async function runWith(
  dataDir: string,
  args: string[],
  stdin: Readable & { isTTY?: boolean },
  env: Record<string, string> = {},
): Promise<Outcome> {
  return startHere(args, stdin, { DATA_DIR: dataDir, ...env }).ended
}

/** Starts a command inside this process. */
export function startHere(
  args: string[],
  stdin: Readable & { isTTY?: boolean },
  env: Record<string, string | undefined>,
): Started {
  const printed: Outcome = { code: null, stdout: '', stderr: '' }
  const collect = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _encoding, done) {
        printed[name] += chunk
        this.emit('data')
        done()
      },
    })
  const stdout = Object.assign(collect('stdout'), { isTTY: stdin.isTTY === true })
  const stderr = collect('stderr')
  const edge = { env, stdin, stdout, stderr, startServer: async () => {} }
  const ran = run(args, edge, { passwordCost: CHEAP, readers: fileReaders })
  return {
    printed,
    stderr,
    ended: ran.then(code => ({ ...printed, stderr: printed.stderr.replace(PROGRESS, ''), code })),
  }
}
