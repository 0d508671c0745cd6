import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import type { SetUp } from '../../helper.js'
import { people } from '../../integration/safes/open.js'
import { seeded } from './seeded.js'
import type { Tokens, Visitor } from './visitor.js'

/** The moment of the kill within the work, as a share. */
const WITHIN_MS = 50
const WORK = ['rotations', 'consents', 'imports'] as const

t.test('kill -9 at 50 moments of imports, rotations and consents (DESIGN §7)', { jobs: 2 }, async t => {
  const embedded = ['one', 'other'].map(name => t.test(name, t => killOften(t, 'embedded', 20)))
  await Promise.all(embedded)
  await t.test('over Postgres and Redis', t => killOften(t, 'postgres', 10))
})

async function killOften(t: Test, setUp: SetUp, kills: number): Promise<void> {
  const { config, safeId, pair, visitor, ...service } = await seeded(t, setUp)
  const start = () => service.start({ CALLS_PER_SECOND: '0' })
  const acknowledged = new Acknowledged(pair)
  const outcomes = { unheard: 0, unchanged: 0 }
  for (let kill = 0; kill < kills; kill++) {
    const server = await start()
    visitor.url = server.url
    outcomes[await acknowledged.check(t, visitor)]++
    const work = [
      acknowledged.rotate(visitor),
      acknowledged.consent(visitor),
      acknowledged.import(visitor, safeId),
    ]
    await Promise.race([acknowledged.some(WORK[kill % 3] ?? 'imports'), ...work])
    await pause(Math.random() * WITHIN_MS)
    server.child.kill('SIGKILL')
    await server.ended
    for (const outcome of await Promise.allSettled(work)) {
      t.match(outcome, { reason: /fetch failed|terminated/ }, 'nothing was refused')
    }
    await importsAreWhole(t, config, acknowledged.imports)
  }
  t.comment(`${JSON.stringify(outcomes)}, ${acknowledged}`)
  visitor.url = (await start()).url
  await acknowledged.check(t, visitor)
  for (const tokens of acknowledged.tokens) t.ok(await visitor.opens(tokens), 'no connection was lost')
  const answered = new Set(acknowledged.tokens.map(({ access_token }) => access_token))
  for (const code of acknowledged.redeemed) {
    // A process that is killed at once may leave the answer of a code repeatable for a minute (ADR 2).
    const again = await visitor.redeem(code)
    t.ok(again === null || answered.has(again.access_token), 'a code works once, or repeats its answer')
  }
}

/** The acknowledged results of the service. */
class Acknowledged {
  /** The latest pair of one connection. */
  #pair: Tokens
  readonly #approved: string[] = []
  /** A code whose redemption got no answer. */
  #unheard: string | null = null
  readonly redeemed: string[] = []
  readonly tokens: Tokens[] = []
  readonly imports: number[] = []
  readonly #done = { rotations: 0, consents: 0, imports: 0 }

  constructor(pair: Tokens) {
    this.#pair = pair
  }

  toString(): string {
    return JSON.stringify(this.#done)
  }

  /** Waits until up to two more of these are acknowledged. */
  async some(kind: (typeof WORK)[number]): Promise<void> {
    const enough = this.#done[kind] + Math.floor(Math.random() * 3)
    while (this.#done[kind] < enough) await pause(1)
  }

  async rotate(visitor: Visitor): Promise<never> {
    for (;;) {
      const next = await visitor.refresh(this.#pair)
      if (!next) throw new Error('a good refresh token was refused')
      this.#pair = next
      this.#done.rotations++
    }
  }

  async consent(visitor: Visitor): Promise<never> {
    for (;;) {
      const code = await visitor.code()
      this.#approved.push(code)
      this.#done.consents++
      // The others wait for the next process.
      if (this.#approved.length % 2 === 0) await this.#redeem(visitor)
    }
  }

  async import(visitor: Visitor, safeId: string): Promise<never> {
    for (;;) {
      const name = crypto.randomUUID()
      this.imports.push(await visitor.import(safeId, `${name}.nt`, people(50).replaceAll('/p', `/${name}-`)))
      this.#done.imports++
    }
  }

  async #redeem(visitor: Visitor): Promise<void> {
    const code = this.#approved.pop() ?? ''
    this.#unheard = code
    const tokens = await visitor.redeem(code)
    if (!tokens) throw new Error('a good code was refused')
    this.#unheard = null
    this.redeemed.push(code)
    this.tokens.push(tokens)
  }

  /** After a restart. `unheard`: a rotation whose answer was lost. */
  async check(t: Test, visitor: Visitor): Promise<'unheard' | 'unchanged'> {
    t.ok(await visitor.opens(this.#pair), 'the last pair is there')
    const last = this.tokens.at(-1)
    if (last) t.ok(await visitor.opens(last), 'the last connection is there')
    for (const code of [...this.#approved.splice(0), this.#unheard]) {
      if (code === null) continue
      const [one, two] = await Promise.all([visitor.redeem(code), visitor.redeem(code)])
      t.ok(worksOnce(one, two), 'a code works once, or repeats its answer')
      const tokens = one ?? two
      if (tokens) this.tokens.push(tokens)
      else t.equal(code, this.#unheard, 'an acknowledged approval is there')
      this.redeemed.push(code)
    }
    this.#unheard = null
    const pairs = await Promise.all([visitor.refresh(this.#pair), visitor.refresh(this.#pair)])
    const [pair] = pairs.filter(pair => pair !== null)
    t.ok(worksOnce(...pairs), 'a refresh token works once, or repeats its answer')
    this.#pair = pair ?? (await visitor.redeem(await visitor.code())) ?? this.#pair
    return pair ? 'unchanged' : 'unheard'
  }
}

/** One pair at most: a killed process may leave an answer repeatable for a minute, with the same successor (ADR 2). */
function worksOnce(one: Tokens | null, other: Tokens | null): boolean {
  return !(one && other) || one.access_token === other.access_token
}

/** Everything acknowledged is there, and nothing only in part. */
async function importsAreWhole(t: Test, place: DatabaseLocation, acknowledged: number[]): Promise<void> {
  const database = await openDatabase({ ...place, role: 'cli' })
  const committed = await database.read
    .selectFrom('imports')
    .select('id')
    .where('status', '=', 'committed')
    .execute()
  const ids = committed.map(({ id }) => id)
  t.strictSame(
    acknowledged.filter(id => !ids.includes(id)),
    [],
    'each acknowledged import is there',
  )
  const counts = await database.read
    .selectFrom('relations')
    .select(({ fn }) => ['import_id as id', fn.countAll<number>().as('rows')])
    .where('import_id', 'in', [0, ...ids])
    .groupBy('import_id')
    .execute()
  t.strictSame(
    counts.filter(({ rows }) => rows !== 50),
    [],
    'and all of it',
  )
  t.equal(counts.length, ids.length)
  const documents = await database.read
    .selectFrom('documents as d')
    .innerJoin('document_texts as p', join =>
      join
        .onRef('p.safe_id', '=', 'd.safe_id')
        .onRef('p.import_id', '=', 'd.import_id')
        .onRef('p.document_id', '=', 'd.id'),
    )
    .select(['d.import_id as id', 'd.kept'])
    .where('d.import_id', 'in', [0, ...ids])
    .execute()
  t.strictSame(
    documents.map(({ id, kept }) => `${id} ${kept}`).sort(),
    ids.map(id => `${id} whole`).sort(),
    'each with its document',
  )
  await database.close()
}
