// A client that uses only the tools `search` and `fetch`, as ChatGPT requires of a source, on the official SDK.
import { Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { listenWithSafes } from '../../e2e/service.js'

const PARAGRAPH = 'The keeper wrote down the weather, the ships and the oil that was left.'
const BOOK = `# Log of the lighthouse\n\nThe lamp was lit in 1871.\n\n${`${PARAGRAPH}\n\n`.repeat(900)}The last keeper was Zwingli.\n`

interface Fetched {
  id: string
  title: string
  text: string
  url: string
  metadata: { next?: string }
}

t.test('R5 a client of search and fetch alone finds a document and reads it to its end', async t => {
  const { app, baseUrl, owner, other } = await listenWithSafes(t)
  const bytes = Readable.from([BOOK])
  await app.safes.imports.add(owner.id, other.id, { source: 'Log.md', bytes, commit: true })
  const { accessToken } = await app.oauth.issueTokens(owner.id, {
    clientName: 'reader',
    grant: { hasSearch: true },
  })
  const client = new Client({ name: 'reader', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${accessToken}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp/v1`), { requestInit }))
  const call = async <Result>(name: string, args: Record<string, string>) => {
    const { content, structuredContent } = await client.callTool({ name, arguments: args })
    const [{ text = '' } = {}, ...more] = content as { text?: string }[]
    t.same(more, [], 'one text')
    t.same(JSON.parse(text), structuredContent)
    return structuredContent as Result
  }

  const { tools } = await client.listTools()
  t.ok(['search', 'fetch'].every(name => tools.some(tool => tool.name === name)))
  const { results } = await call<{ results: Fetched[] }>('search', { query: 'When was the lamp lit?' })
  const found = results.find(({ title }) => title.includes('Log'))
  t.ok(found?.url.startsWith(`${baseUrl}/safes/${other.id}/`), 'a page that a person can open')
  let page = await call<Fetched>('fetch', { id: found?.id ?? '' })
  let text = page.text
  let pages = 1
  for (; page.metadata.next !== undefined; pages++) {
    page = await call<Fetched>('fetch', { id: page.metadata.next })
    text += page.text
  }
  t.ok(pages > 1, `${pages} pages`)
  t.equal(text.split(PARAGRAPH).length, 901, 'no word is lost or doubled')
  t.match(text, /The lamp was lit in 1871[\s\S]*The last keeper was Zwingli/)
  await client.close()
})
