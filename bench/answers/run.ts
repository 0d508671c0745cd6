// npm run bench -- answers [FOLDER] — what an assistant is answered over WordNet and the sample Safe, to be read by a
// person. FOLDER keeps the imported data, so that the next run begins at once.
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { loadConfig } from '../../plugins/config.js'
import { answerText } from '../../safes/ask/answer.js'
import { convert } from '../wordnet/convert.js'
import { questions } from './questions.js'

// As built: a worker thread cannot be begun from TypeScript.
const { buildApp }: typeof import('../../app.js') = await import(
  new URL('../../dist/app.js', import.meta.url).href
)
const [kept] = process.argv.slice(2)
const folder = kept ?? mkdtempSync(join(tmpdir(), 'svc-answers-'))
const app = await buildApp({ config: loadConfig({ DATA_DIR: folder }) })
try {
  await app.ready()
  const reader =
    (await app.accounts.findByEmail('bench@example.com')) ??
    (await app.accounts.add('bench@example.com', 'correct horse battery'))
  const safes = await app.safes.readableBy(reader.id)
  const safeIds = {
    sample: safes[0]?.id ?? (await app.safes.createSample(reader.id)).id,
    wordnet: safes[1]?.id ?? (await wordnet(reader.id)),
  }
  for (const { safe, ...question } of questions) {
    const started = performance.now()
    const answer = await app.safes.ask(reader.id, safeIds[safe], question)
    const milliseconds = performance.now() - started
    const text = answerText(answer)
    const tokens = [text, JSON.stringify(answer)].map(form => encode(form).length)
    console.log(`\n${'='.repeat(100)}\n${safe} ${JSON.stringify(question)}`)
    console.log(
      `${answer.mode}: ${tokens[0]} tokens as text, ${tokens[1]} structured, ${milliseconds.toFixed(1)} ms\n`,
    )
    console.log(text)
  }
} finally {
  await app.close()
  if (kept === undefined) rmSync(folder, { recursive: true })
}

async function wordnet(accountId: string): Promise<string> {
  const file = join(folder, 'wordnet.nt')
  if (!existsSync(file)) {
    const out = createWriteStream(file)
    await convert(out)
    out.end()
    await finished(out)
  }
  const { id } = await app.safes.create(accountId, 'WordNet')
  const { status } = await app.safes.imports.add(accountId, id, {
    source: 'wordnet.nt',
    bytes: createReadStream(file),
    commit: true,
  })
  if (status !== 'committed') throw new Error(`WordNet was not imported: ${status}`)
  rmSync(file)
  return id
}
