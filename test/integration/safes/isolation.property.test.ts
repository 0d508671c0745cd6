import { Readable } from 'node:stream'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { MODES } from '../../../engine/graph/retrieval/ranking.js'
import { buildService } from '../mcp/service.js'

/** Names that every Safe has. */
const NAMES = ['Ada Lovelace', 'Bob Stone', 'Carla Bruni', 'Harbour Project', 'Lighthouse']
const SAFES = 6
/** Passages of each Safe: the indexes of all together do not fit into 1 MB. */
const PASSAGES = 400
const WORDS = 'crane harbour winter letter garden signal engine paper morning river'.split(' ')

/** Part of everything in one Safe, and never asked for. */
const secretOf = (safe: number) => `sesame${'abcdef'[safe]}`
/** Names of one Safe that strangers ask for. */
const lureOf = (safe: number) => `Quillon${'abcdef'[safe]}`

const nameOf = (safe: number) => `Vault ${secretOf(safe)}`

type Json = Record<string, unknown>

interface Asker {
  name: string
  accountId: string
  /** The only Safes it may read, or null for all. */
  only: readonly string[] | null
  tool(name: string, args: Json): Promise<unknown>
}

/** Three accounts, six Safes about the same names, and connections of every kind. */
async function openWorld(t: Test) {
  const { app, ann, bob, issue, poster } = await buildService(t, { env: { INDEX_CACHE_MB: '1' } })
  const { id: cleo } = await app.accounts.add('cleo@a.example', 'correct horse battery')
  const accounts = [ann, bob, cleo]
  const ownerOf = (safe: number) => accounts[safe % accounts.length] as string
  const ids: string[] = []
  for (let safe = 0; safe < SAFES; safe++) {
    const { id } = await app.safes.create(ownerOf(safe), nameOf(safe))
    const bytes = Readable.from([Buffer.from(graphOf(safe))])
    await app.safes.imports.add(ownerOf(safe), id, { source: `${secretOf(safe)}.jsonl`, bytes, commit: true })
    ids.push(id)
  }
  const askers: Asker[] = []
  for (const [i, accountId] of accounts.entries()) {
    const add = async (name: string, url: string, only: string[] | null, facts: object, safeId?: string) => {
      const { tool } = poster(await issue(accountId, facts, safeId ? { safeId } : {}), url)
      askers.push({ name: `${name} of account ${i}`, accountId, only, tool })
    }
    const own = ids[i] as string
    await add('open connection', '/mcp/v1', null, {})
    await add('connection with a choice', '/mcp/v1', null, {
      chosenSafeIds: [ids[(i + 1) % SAFES] as string],
    })
    await add('limited connection', '/mcp/v1', [own], { chosenSafeIds: [own], onlyChosenSafe: true })
    const several = [own, ids[i + 3], ids[i + 1]] as string[]
    await add('connection limited to several', '/mcp/v1', several, {
      chosenSafeIds: several,
      onlyChosenSafe: true,
    })
    await add('pinned connection', `/mcp/v1/${own}`, [own], {}, own)
    await add('pinned connection at another Safe', `/mcp/v1/${ids[i + 1]}`, [], {}, own)
  }
  /** A connection to all Safes of the account, which has selected one and is then limited to `kept`. */
  const narrowed = async (accountId: string, selected: string, kept: string[]): Promise<Asker> => {
    const issued = await issue(accountId)
    const { tool } = poster(issued)
    await tool('svc_select_safe', { safe: selected })
    const choice = { safeIds: kept, only: true, scope: ['vault:read'] }
    await app.oauth.connections.narrow(accountId, issued.connectionId, choice)
    return { name: `connection of ${accountId} narrowed to ${kept}`, accountId, only: kept, tool }
  }
  return { app, accounts, ownerOf, ids, askers, narrowed }
}

function graphOf(safe: number): string {
  const secret = secretOf(safe)
  const relation = (from: string, relationType: string, to: string) => ({
    type: 'relation',
    from,
    relationType,
    to,
  })
  const lines: object[] = NAMES.flatMap((name, i) => [
    {
      type: 'entity',
      name,
      entityType: `kind ${secret}`,
      observations: [`${name} keeps ${secret} in a drawer.`],
    },
    relation(name, 'knows', NAMES[(i + 1) % NAMES.length] as string),
    relation(name, `trusts ${secret}`, lureOf(safe)),
    relation(name, 'knows', `${name} ${secret}`),
  ])
  for (let i = 0; i < PASSAGES; i++) {
    const text = Array.from({ length: 30 }, (_, at) => WORDS[(i * 7 + at * (i + 3)) % WORDS.length]).join(' ')
    lines.push({
      type: 'entity',
      name: `Note ${i}`,
      entityType: 'note',
      observations: [`${text} ${i} ${secret}`],
    })
  }
  return lines.map(line => JSON.stringify(line)).join('\n')
}

const safeNumber = fc.nat({ max: SAFES - 1 })
const name = fc.oneof(
  fc.constantFrom(...NAMES, 'Ada Lovelase', 'Note 7', 'f1.3', 'p1.2'),
  safeNumber.map(lureOf),
)
const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const question = fc.record({
  query: option(
    fc.oneof(
      name,
      name.map(one => `Whom does ${one} know?`),
      fc.tuple(name, name).map(([one, other]) => `How is ${one} connected with ${other}?`),
      fc.constantFrom(...WORDS).map(word => `What about the ${word}?`),
    ),
  ),
  mode: option(fc.constantFrom(...MODES)),
  entities: option(fc.array(name, { maxLength: 2 })),
  from: option(name),
  to: option(name),
  steps: option(
    fc.constantFrom(
      [{ relation: 'knows' }],
      [{ relation: 'trusts' }, { relation: 'knows', direction: 'in' }],
    ),
  ),
  types: option(fc.constantFrom(['note'], ['kind'])),
  limit: option(fc.constantFrom(1, 1, 3, 50)),
  detail: option(fc.constantFrom('brief', 'full')),
})

/** One event; numbers choose among the things that exist at that time. */
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('ask' as const),
      asker: fc.nat(),
      question,
      safe: option(safeNumber),
      /** An earlier question, with the cursor from its answer. */
      replay: option(fc.record({ number: fc.nat({ max: 9 }), own: fc.boolean() })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('select' as const),
      asker: fc.nat(),
      safe: safeNumber,
      byName: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('list' as const), asker: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('narrow' as const),
      account: fc.nat({ max: 2 }),
      selected: fc.nat(),
      /** A bit per Safe that stays. */
      kept: fc.nat({ max: 2 ** SAFES - 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('share' as const),
      safe: safeNumber,
      account: fc.nat({ max: 2 }),
      on: fc.boolean(),
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
type Asking = Exclude<Step, { does: 'share' | 'narrow' }>

type World = Awaited<ReturnType<typeof openWorld>>
type Seen = Record<'answers' | 'refusals' | 'pages' | 'foreignCursors' | 'narrowed', number>

/** Runs the steps, and knows who may read which Safe. */
class Run {
  readonly #world: World
  readonly #seen: Seen
  readonly #members: Set<string>[]
  readonly #askers: Asker[]
  /** Questions with more pages, with their cursors. */
  readonly #unfinished: { args: Json; asker: Asker }[] = []
  /** Cursor → the Safe whose answer it continues. */
  readonly #givenBy = new Map<string, string>()

  constructor(world: World, seen: Seen) {
    this.#world = world
    this.#seen = seen
    this.#askers = [...world.askers]
    this.#members = world.ids.map((_, safe) => new Set([world.ownerOf(safe)]))
  }

  async carryOut(each: Step): Promise<void> {
    if (each.does === 'share') return this.share(each.safe, each.account, each.on)
    if (each.does === 'narrow') return this.#narrow(each.account, each.selected, each.kept)
    const asker = this.#askers[each.asker % this.#askers.length] as Asker
    const [tool, args] = this.#callOf(each, asker)
    const result = ((await asker.tool(tool, args)) ?? {}) as Result
    const said = JSON.stringify(result)
    const problem = this.#problem(asker, args, result, said.toLowerCase())
    if (problem) throw new Error(`${problem}\n${asker.name}: ${tool} ${JSON.stringify(args)}\n${said}`)
    if (tool === 'svc') this.#note(asker, args, result)
  }

  async share(safe: number, number: number, on: boolean): Promise<void> {
    const { app, accounts, ids, ownerOf } = this.#world
    const [owner, account, id] = [ownerOf(safe), accounts[number] as string, ids[safe] as string]
    if (account === owner) return
    if (on) await app.safes.members.share(owner, id, account, 'reader')
    else await app.safes.members.unshare(owner, id, account).catch(() => {})
    this.#members[safe]?.[on ? 'add' : 'delete'](account)
  }

  async #narrow(number: number, selected: number, kept: number): Promise<void> {
    const { accounts, ids, narrowed } = this.#world
    const account = accounts[number] as string
    const readable = ids.filter((_, safe) => this.#members[safe]?.has(account))
    const left = readable.filter(id => kept & (1 << ids.indexOf(id)))
    if (left.length === 0) return
    this.#askers.push(await narrowed(account, readable[selected % readable.length] as string, left))
    this.#seen.narrowed++
  }

  #callOf(each: Asking, asker: Asker): [tool: string, args: Json] {
    if (each.does === 'list') return ['svc_list_safes', {}]
    const id = each.safe === undefined ? undefined : this.#world.ids[each.safe]
    if (each.does === 'select') {
      // Only a member can know the name.
      const isMember = this.#members[each.safe]?.has(asker.accountId)
      return ['svc_select_safe', { safe: each.byName && isMember ? nameOf(each.safe) : id }]
    }
    const { replay } = each
    const theirs = this.#unfinished.filter(({ asker: by }) => !replay?.own || by === asker)
    const before = replay && theirs.at(-1 - (replay.number % theirs.length))
    if (before && before.asker !== asker) this.#seen.foreignCursors++
    const args = before
      ? { ...before.args, ...(replay?.own ? {} : { safe: id }) }
      : { ...each.question, safe: id }
    // Through JSON, which omits `undefined`.
    return ['svc', JSON.parse(JSON.stringify(args))]
  }

  /** The problem of an answer, or null. */
  #problem(
    asker: Asker,
    args: Json,
    { structuredContent: { safe } = {} }: Result,
    said: string,
  ): string | null {
    const { ids } = this.#world
    const mayRead = (safe: number) =>
      this.#members[safe]?.has(asker.accountId) &&
      (asker.only === null || asker.only.includes(ids[safe] as string))
    if (safe && !mayRead(ids.indexOf(safe.id))) return 'A Safe answered that may not be read.'
    if (safe && args.cursor && this.#givenBy.get(String(args.cursor)) !== safe.id)
      return 'A cursor of another Safe was taken.'
    for (const [other, id] of ids.entries()) {
      if (safe ? safe.id === id : mayRead(other)) continue
      if (args.safe !== nameOf(other) && said.includes(secretOf(other))) return `It tells of Safe ${other}.`
      if (args.safe !== id && said.includes(id.toLowerCase())) return `It names Safe ${other}.`
    }
    return null
  }

  #note(
    asker: Asker,
    args: Json,
    { isError, structuredContent: { safe, next_cursor: cursor } = {} }: Result,
  ): void {
    this.#seen[isError ? 'refusals' : 'answers']++
    if (args.cursor && !isError) this.#seen.pages++
    if (cursor && safe) this.#givenBy.set(cursor, safe.id)
    if (cursor) this.#unfinished.push({ args: { ...args, cursor }, asker })
  }
}

interface Result {
  isError?: boolean
  structuredContent?: { safe?: { id: string }; next_cursor?: string | null }
}

t.test('no answer reveals anything of a Safe that the account may not read (RULES S2, GRAPH §5)', async t => {
  const world = await openWorld(t)
  const seen = { answers: 0, refusals: 0, pages: 0, foreignCursors: 0, narrowed: 0 }
  const property = fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async steps => {
    const run = new Run(world, seen)
    for (let safe = 0; safe < SAFES; safe++)
      for (const account of world.accounts.keys()) await run.share(safe, account, false)
    for (const each of steps) await run.carryOut(each)
  })
  await fc.assert(property, { seed: 4, numRuns: 10, endOnFailure: true })
  t.comment(JSON.stringify(seen))
  for (const [what, times] of Object.entries(seen)) t.ok(times > 5, `${what}: ${times}`)
})
