// Writes domain/safes/ask/known-words.ts, a Bloom filter of the words of 4 to 14 letters that, after a space, are one token in
// both cl100k and o200k. Run it again to support another encoding:
//   npm i --no-save gpt-tokenizer@4
//   npx tsx scripts/known-words.ts
import { writeFileSync } from 'node:fs'
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { bitsOf } from '../domain/safes/ask/word-filter.js'

const TOKENS = 100_256
const BYTES = 30_000

const filter = new Uint8Array(BYTES)
let words = 0
for (let token = 0; token < TOKENS; token++) {
  const text = cl100k.decode([token])
  if (!/^ [A-Za-z][a-z]{3,13}$/.test(text)) continue
  if (cl100k.encode(text).length !== 1 || o200k(text).length !== 1) continue
  words++
  for (const bit of bitsOf(text, 1, text.length, BYTES))
    filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7))
}
writeFileSync(
  new URL('../domain/safes/ask/known-words.ts', import.meta.url),
  `/** Written by \`scripts/known-words.ts\`: ${words.toLocaleString('en')} words that are one token each, as a Bloom filter. */\nexport const KNOWN_WORDS =\n  '${Buffer.from(filter).toString('base64')}'\n`,
)
