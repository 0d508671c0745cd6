import { Readable } from 'node:stream'
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { buildService } from '../../integration/mcp/service.js'

// The estimate for such an answer is above the limit, because nothing is left to cut.
t.test('X10 a Safe name of many tokens does not exceed the limit', async t => {
  const { app, ann, harbour, issue, poster } = await buildService(t)
  const long = { type: 'entity', name: 'Lantern', observations: ['A lantern. '.repeat(300)] }
  const bytes = Readable.from([JSON.stringify(long)])
  await app.safes.imports.add(ann, harbour, { source: 'long.jsonl', bytes, commit: true })
  const { tool } = poster(await issue(ann, { chosenSafeIds: [harbour] }))
  for (const name of ['\u16a0'.repeat(100), '\u{1f9ff}'.repeat(50), '"'.repeat(100)]) {
    await app.safes.rename(ann, harbour, name)
    for (const query of ['lantern', 'nothing is called this']) {
      const asked = { query, max_tokens: 100 }
      const { content, structuredContent } = await tool('svc', asked, {
        'mcp-protocol-version': '2025-06-18',
      })
      for (const form of [content[0].text, JSON.stringify(structuredContent)]) {
        const most = Math.max(o200k(form).length, cl100k(form).length)
        t.ok(most <= 100, `${most} of 100`)
      }
      t.match(structuredContent, { safe: { id: harbour }, ...(query === 'lantern' && { truncated: true }) })
    }
  }
})
