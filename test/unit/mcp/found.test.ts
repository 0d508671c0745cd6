import t from 'tap'
import { instructions } from '../../../mcp/instructions.js'
import { inLines } from '../../../mcp/tool.js'
import { openTestEndpoint } from './domain.js'
import { OTHERS, PHRASES } from './phrases.js'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** BM25 over whole words, as tool searches rank (k1 0.9, b 0.4). */
function ranked(phrase: string, tools: [name: string, text: string][]): string[] {
  const texts = tools.map(([name, text]) => ({ name, words: wordsOf(`${name} ${text}`) }))
  const mean = texts.reduce((sum, { words }) => sum + words.length, 0) / texts.length
  const score = ({ words }: { words: string[] }) =>
    wordsOf(phrase).reduce((sum, word) => {
      const count = words.filter(one => one === word).length
      const having = texts.filter(other => other.words.includes(word)).length
      const idf = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))
      return sum + (idf * count * 1.9) / (count + 0.9 * (0.6 + (0.4 * words.length) / mean))
    }, 0)
  return texts
    .map(one => ({ name: one.name, score: score(one) }))
    .filter(one => one.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name)
}

interface Listed {
  name: string
  title: string
  description: string
  _meta: Record<string, string>
}

t.test('R8 a search of tools finds svc among the first three for what people say', async t => {
  const { post } = openTestEndpoint(t, { ann: ['a'] })
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const { tools } = (await post(list, { protocolVersion: '2025-11-25' })).body.result
  const described: [string, string][] = tools.map(({ name, title, description }: Listed) => [
    name,
    `${title} ${description}`,
  ])
  const hinted: [string, string][] = tools.map(({ name, title, description, _meta }: Listed) => [
    name,
    `${title} ${description} ${_meta['anthropic/searchHint']}`,
  ])
  for (const phrase of PHRASES) {
    t.ok(
      ranked(phrase, [...described, ...OTHERS])
        .slice(0, 3)
        .includes('svc'),
      `described: ${phrase}`,
    )
    t.ok(
      ranked(phrase, [...hinted, ...OTHERS])
        .slice(0, 3)
        .includes('svc'),
      `hinted: ${phrase}`,
    )
  }
})

t.test(
  'R8 instructions stay under 4,000 characters, name at most ten Safes, and begin with the essentials',
  async t => {
    const names = { list: 'svc_list_safes', select: 'svc_select_safe', query: 'svc', propose: 'svc_propose' }
    const safes = Array.from({ length: 12 }, (_, at) => `Safe ${at} ${'x'.repeat(90)}`)
    const text = instructions(names, false, safes)
    t.ok(text.length < 4_000, `${text.length}`)
    t.match(text, '"Safe 9 ')
    t.notMatch(text, '"Safe 10 ')
    t.match(text.slice(0, 512), /call svc with a question in plain words/)
  },
)

t.test('R8 no line of a text has more than 2,000 characters, and no word is lost', async t => {
  for (const text of [
    'word '.repeat(1_000),
    'x'.repeat(4_500),
    '\u{1f6a2}'.repeat(3_000),
    `a\n${'b '.repeat(1_500)}\nc`,
  ]) {
    const broken = inLines(text)
    for (const line of broken.split('\n')) t.ok(line.length <= 2_000 && line.isWellFormed())
    t.equal(broken.replace(/\s/g, ''), text.replace(/\s/g, ''))
  }
  t.equal(inLines('short\n\nlines'), 'short\n\nlines')
})
