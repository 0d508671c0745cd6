// npm run bench -- formats questions QUESTIONS.json FILE… [--misses] — plain questions over imported files: how many find their answer in the first
// five passages. Each answer is a regular expression that was written down before anything was asked; questions/ has
// the sets, and says of which public repositories: nothing of their content comes with this project.
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'

interface Questions {
  repository: string
  questions: { question: string; answer: string }[]
}

const FIRST = 5
const [set = '', ...paths] = process.argv.slice(2).filter(option => !option.startsWith('--'))
const { repository, questions }: Questions = JSON.parse(readFileSync(set, 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-questions-'))
const app = await buildDomains({ config: loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }) }, 'cli')
try {
  await app.ready()
  const { id: account } = await app.accounts.add('reader@bench.example', 'correct horse battery')
  const { id: safe } = await app.safes.create(account, 'Questions')
  for (const path of paths) for (const file of await filesIn(path)) await add(account, safe, file)
  let found = 0
  for (const { question, answer } of questions) {
    const { passages } = await app.safes.ask(account, safe, { query: question, limit: FIRST })
    const wanted = new RegExp(answer, 'i')
    const at = passages.slice(0, FIRST).findIndex(({ title, text }) => wanted.test(`${title}\n${text}`))
    if (at >= 0) found++
    if (at >= 0 || !process.argv.includes('--misses')) continue
    console.log(`missed: ${question}`)
    for (const { title } of passages.slice(0, FIRST)) console.log(`  ${title}`)
  }
  console.log(`${repository}: ${found} of ${questions.length} answered in the first ${FIRST}`)
} finally {
  await app.close()
  rmSync(folder, { recursive: true })
}

async function filesIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  return (await readdir(path)).sort().map(name => join(path, name))
}

async function add(account: string, safe: string, path: string): Promise<void> {
  const read = { source: basename(path), bytes: createReadStream(path) }
  const { status, problem } = await app.safes.imports.add(account, safe, {
    ...read,
    commit: true,
    skipBad: true,
  })
  if (status !== 'committed') console.log(`${path} was not added: ${problem}`)
}
