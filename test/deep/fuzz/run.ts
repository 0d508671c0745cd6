import fc from 'fast-check'
import type { Test } from 'tap'

/** Sent at the same time; everything they use up is made again afterwards. */
const AT_ONCE = 40

const { FUZZ_SEED, FUZZ_PATH, FUZZ_REQUESTS, FUZZ_PROGRESS } = process.env

/** Of all files of this folder together. */
const TOTAL = 50_000
const requested = Number(FUZZ_REQUESTS ?? TOTAL)
/** The same in every run in CI; a long run goes its own way. */
const seed = Number(FUZZ_SEED ?? (FUZZ_PROGRESS ? Date.now() % 2 ** 31 : 20_260_101))

export interface Run<Plan> {
  /** Of its file, for the command that repeats it. */
  name: string
  /** Of all requests, unless `requests` says how many. */
  share: number
  requests?: number
  plan: fc.Arbitrary<Plan>
  /** Sends one; throws when something about its answer is not as it should be. */
  send(plan: Plan): Promise<void>
  /** Between two handfuls of requests; throws as `send`. */
  between(): Promise<void>
}

/** Sends a run's requests. Asserts that nothing was wrong with any. Returns how many. */
export async function run<Plan>(
  t: Test,
  { name, share, requests, plan, send, between }: Run<Plan>,
): Promise<number> {
  const batches = Math.ceil((requests ?? requested * share) / AT_ONCE)
  t.comment(`FUZZ_SEED=${seed}, ${batches * AT_ONCE} requests, ${name}`)
  let sent = 0
  const progress =
    FUZZ_PROGRESS && setInterval(() => process.stderr.write(`${name}: ${sent} requests\n`), 5000)
  // Never absent unless a failure is being shrunk: then the others go one by one.
  const maybe = fc.option(plan, { freq: 2 ** 30, nil: null })
  const handful = fc.tuple(...Array.from({ length: AT_ONCE }, () => maybe))
  const property = fc.asyncProperty(handful, async plans => {
    const present = plans.filter(plan => plan !== null)
    const results = await Promise.allSettled(present.map(plan => send(plan)))
    const failed = results.find(result => result.status === 'rejected')
    if (failed) throw failed.reason
    await between()
    sent += present.length
  })
  const result = await fc.check(property, {
    seed,
    numRuns: batches,
    ...(FUZZ_PATH ? { path: FUZZ_PATH } : {}),
  })
  clearInterval(progress || undefined)
  if (result.failed) {
    const error = result.errorInstance as Error | null
    const left = result.counterexample?.[0].filter(plan => plan !== null).map(plan => JSON.stringify(plan))
    t.comment(`again: FUZZ_SEED=${seed} FUZZ_PATH=${result.counterexamplePath} npm run test:one fuzz/${name}`)
    t.comment(`left of ${AT_ONCE}:\n${left?.join('\n')}`)
    t.fail(String(error?.message))
    return 0
  }
  return sent
}
