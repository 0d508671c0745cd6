import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { estimateTokens } from '../../../domain/safes/ask/tokens.js'
import { newId } from '../../../platform/common/secrets.js'
import { buildService } from './service.js'

const HARD_CAP = 20_000
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25']

/**
 * Text with the most tokens. Each passage and fact names the lantern, so that one question finds them all.
 */
const TEXTS: Record<string, string> = {
  English: 'The keeper of the North Lighthouse repaired it in 1987; nobody read the report. ',
  Chinese: '灯塔合作社成立于一九八七年，负责北岸三座灯塔的维护龘靐齉。',
  Arabic: 'حارس المنارة أصلح الفانوس في عام ١٩٨٧. ',
  Thai: 'ผู้ดูแลประภาคารซ่อมตะเกียงในปี ๒๕๓๐ ',
  runes: 'ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾᛁᛃ ',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈🧿🫠🚀 ',
  code: 'if(!(a&&b[0]?.c??{}))return`x`;\n\t}{"\\\\":[null,1e-7]};',
  identifiers: 'xQzKvB7pLmW9tRnY2aJhGfDsUiOe4C== 550e8400-e29b-41d4-a716-446655440000 ',
  quotes: '"“\'\\"\\\\\r\n\u2028"',
}

const records = Object.entries(TEXTS).flatMap(([script, text]) =>
  Array.from({ length: 8 }, (_, i) => [
    { type: 'entity', name: `${script} ${i}`, observations: [`lantern ${i} ${text.repeat(4 ** (i % 5))}`] },
    { type: 'relation', from: `${script} ${i}`, to: 'Lantern', relationType: `guards ${text.slice(0, 60)}` },
  ]).flat(),
)
const FOUND = records.length

async function fillWith(app: FastifyInstance, accountId: string, safeId: string): Promise<void> {
  const bytes = Readable.from([records.map(record => JSON.stringify(record)).join('\n')])
  const done = await app.safes.imports.add(accountId, safeId, { source: 'odd.jsonl', bytes, commit: true })
  if (done.status !== 'committed') throw new Error(done.problem ?? done.status)
}

interface Result {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: Record<string, unknown>
}

/** Tokens of the larger form of a result. A host shows a model one of the forms. */
function tokensOf({ content, structuredContent }: Result): number {
  const forms = [content[0]?.text ?? '', JSON.stringify(structuredContent ?? null)]
  return Math.max(...forms.map(estimateTokens))
}

const { app, ann, harbour, issue, poster } = await buildService(t)
await fillWith(app, ann, harbour)
const { tool } = poster(await issue(ann, { chosenSafeIds: [harbour] }))
const ask = (args: Record<string, unknown>, revision: string): Promise<Result> =>
  tool('svc', { query: 'lantern', ...args }, { 'mcp-protocol-version': revision })

t.test('X10 no answer exceeds max_tokens, and the cursor brings everything exactly once', async t => {
  for (const maxTokens of [1_000, 2_000, HARD_CAP]) {
    for (const limit of maxTokens === HARD_CAP ? [7, 50] : [50]) {
      await walk(t, args => ask({ ...args, limit, max_tokens: maxTokens }, '2025-06-18'), maxTokens)
    }
  }
})

t.test('X10 the limit holds in every revision, and with the default of 2,000', async t => {
  for (const revision of REVISIONS) {
    for (const maxTokens of [100, 150, 300, 1_000, HARD_CAP, undefined]) {
      const args = { limit: 50, ...(maxTokens && { max_tokens: maxTokens }) }
      const result = await ask(args, revision)
      const most = maxTokens ?? 2_000
      t.ok(tokensOf(result) <= most, `${revision}: ${tokensOf(result)} of ${most}`)
      t.ok(result.content[0]?.text)
      t.equal(result.structuredContent !== undefined, revision > '2025-03-26')
    }
  }
})

t.test(
  'R8 a default answer has at most 7,500 characters, any other 38,000 in each form, in all revisions',
  async t => {
    for (const revision of REVISIONS)
      for (const limit of [10, 50]) {
        const forms = formsOf(await ask({ limit }, revision))
        const length = forms.join('').length
        t.ok(length <= 7_500, `${revision}: ${length} characters together`)
        t.ok(length > 1_500, `and uses them: ${length}`)
        for (const form of formsOf(await ask({ limit, max_tokens: HARD_CAP }, revision)))
          t.ok(form.length <= 38_000, `${revision}: ${form.length} characters`)
      }
  },
)

t.test('R8 a structured result begins with what matters and the cursor, and has no empty lists', async t => {
  const forms = formsOf(await ask({ limit: 7 }, '2025-06-18'))
  const { verdict, next_cursor } = JSON.parse(forms[1] ?? '')
  t.ok(verdict && next_cursor)
  for (const part of [`"verdict":"${verdict}"`, `"next_cursor":"${next_cursor}"`])
    t.match(forms[1]?.slice(0, 500), part)
  t.match(forms[0]?.slice(-200), next_cursor, 'the text ends with it')
  for (const args of [{ query: 'nothing like it' }, { query: undefined }, { from: 'Arabic 1', to: 'Nobody' }])
    t.notMatch(formsOf(await ask(args, '2025-06-18'))[1], '[]')
})

const formsOf = ({ content, structuredContent }: Result): string[] => [
  content[0]?.text ?? '',
  ...(structuredContent ? [JSON.stringify(structuredContent)] : []),
]

t.test('X10 of hundreds of Safes each is listed once, in results of at most 20,000 tokens', async t => {
  const names = ['Household', 'ᚠ'.repeat(100), '🧿'.repeat(50), '"'.repeat(100), '\ue000'.repeat(100)]
  await addSafes(app, ann, 600, i => names[i % names.length] as string)
  const all = (await app.safes.readableBy(ann, { limit: 1_000 })).map(safe => safe.id)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const result: Result = await tool('svc_list_safes', cursor === undefined ? {} : { cursor })
    // It is unknown which form a host shows; here the limit holds for both together.
    const whole = estimateTokens(JSON.stringify(result))
    t.ok(whole <= HARD_CAP, `${whole} tokens`)
    const [text] = result.content.map(content => content.text) as [string]
    seen.push(...[...text.matchAll(/^(\w{22}) "/gm)].map(match => match[1] as string))
    cursor = /^More Safes follow: cursor (\w+)$/m.exec(text)?.[1]
    t.equal(result.structuredContent?.next_cursor, cursor ?? null, 'both forms say the same')
  } while (cursor)
  t.strictSame(seen, all)
})

/** Follows the cursors from the first page to the last. */
async function walk(t: Test, ask: (args: { cursor?: string }) => Promise<Result>, maxTokens: number) {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const result: Result = await ask(cursor === null ? {} : { cursor })
    t.ok(tokensOf(result) <= maxTokens, `${tokensOf(result)} of ${maxTokens}`)
    const page = result.structuredContent as Partial<Record<'facts' | 'passages', { id: string }[]>> & {
      total: number
      next_cursor: string | null
    }
    t.equal(page.total, FOUND)
    seen.push(...[...(page.facts ?? []), ...(page.passages ?? [])].map(({ id }) => id))
    cursor = page.next_cursor
    if (cursor) t.match(result.content[0]?.text, `cursor "${cursor}"`, 'the text says how to go on')
  } while (cursor)
  t.equal(seen.length, FOUND)
  t.equal(new Set(seen).size, FOUND, 'each once')
}

/** Inserts empty Safes as rows, because creating them is not tested here. */
function addSafes(app: FastifyInstance, accountId: string, count: number, nameOf: (i: number) => string) {
  return app.database.write(async trx => {
    for (let i = 0; i < count; i++) {
      const id = newId()
      const safe = { id, name: nameOf(i), version: 1, created_at: i }
      await trx.insertInto('safes').values(safe).execute()
      const member = { safe_id: id, account_id: accountId, role: 'owner' as const, created_at: i }
      await trx.insertInto('memberships').values(member).execute()
    }
  })
}
