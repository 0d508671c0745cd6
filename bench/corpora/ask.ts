// npm run bench -- questions KIND=PATH … [--misses] — ten questions of each kind (mail, table, notes, sessions) about public
// data that `svc safe import` has read from a folder or file: how many are answered by one of the first five passages.
// questions.json names the data and the answers, which were written before any question was asked. Exits with 1 if
// fewer than eight of ten are answered.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from '../../domain/safes/ask/answer.js'
import { rootDir } from '../../platform/common/package.js'

interface QuestionsOfKind {
  kind: string
  /** The address of the public data. */
  from: string
  /** A question, and a part of the text that answers it. */
  ask: [question: string, answer: string][]
}

const FIRST = 5
const ENOUGH = 0.8
const EMAIL = 'reader@bench.example'

const flags = process.argv.slice(2).filter(argument => argument.startsWith('--'))
const paths = new Map(
  process.argv
    .slice(2)
    .filter(argument => argument.includes('='))
    .map(argument => argument.split('=') as [string, string]),
)
const kinds: QuestionsOfKind[] = JSON.parse(
  readFileSync(join(rootDir, 'bench/corpora/questions.json'), 'utf8'),
)
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-questions-'))
try {
  svc('account', 'add', EMAIL, '--password-stdin')
  for (const set of kinds) {
    const path = paths.get(set.kind)
    if (path === undefined) console.log(`${set.kind}: left out; give ${set.kind}=PATH with ${set.from}`)
    else measure(set, path)
  }
} finally {
  rmSync(folder, { recursive: true })
}

function measure({ kind, from, ask }: QuestionsOfKind, path: string): void {
  svc('safe', 'add', kind, '--owner', EMAIL)
  svc('safe', 'import', kind, path, '--skip-bad')
  const misses = ask.filter(([question, answer]) => !isAnswered(kind, question, answer))
  const answered = ask.length - misses.length
  console.log(`${kind}: ${answered} of ${ask.length} answered (${from})`)
  if (flags.includes('--misses'))
    for (const [question, answer] of misses) console.log(`  ? ${question} (${answer})`)
  if (answered < ENOUGH * ask.length) process.exitCode = 1
}

function isAnswered(safe: string, question: string, answer: string): boolean {
  const { passages }: Answer = JSON.parse(svc('ask', safe, question, '--json'))
  const wanted = flat(answer)
  return passages.slice(0, FIRST).some(({ title, text }) => flat(`${title}\n${text}`).includes(wanted))
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase()
}

/** The output of a command on its own data folder. @throws if it fails */
function svc(...args: string[]): string {
  const env = { PATH: process.env.PATH, DATA_DIR: folder, LOG_LEVEL: 'fatal' }
  const input = 'a password of the bench\n'
  return execFileSync(process.execPath, [join(rootDir, 'dist/cli.js'), ...args], {
    env,
    input,
    encoding: 'utf8',
  })
}
