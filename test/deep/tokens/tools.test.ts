import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { listSafes } from '../../../mcp/tools/list-safes.js'
import { toolNames } from '../../../mcp/tools/names.js'
import { querySafe } from '../../../mcp/tools/query-safe.js'
import { selectSafe } from '../../../mcp/tools/select-safe.js'

/** The cost of the three tools for a model: names, descriptions and arguments, which clients pass on. */
const MAX = 1_700

t.test('X11 the three tools cost a model at most 1,700 tokens', async t => {
  const names = toolNames('svc')
  const shown = [listSafes(names), selectSafe(names), querySafe(names)].map(tool => {
    const { name, description, inputSchema } = tool.listed('2025-03-26')
    return JSON.stringify({ name, description, inputSchema })
  })
  for (const [encoding, encode] of Object.entries({ o200k, cl100k })) {
    const tokens = shown.reduce((sum, tool) => sum + encode(tool).length, 0)
    t.ok(tokens <= MAX, `${encoding}: ${tokens}`)
    t.ok(tokens > 500, 'they are there')
  }
})
