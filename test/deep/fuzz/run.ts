import fc from 'fast-check'
import type { Test } from 'tap'

/** Sent at the same time; everything they use up is made again afterwards. */
const AT_ONCE = 40

const { FUZZ_SEED, FUZZ_PATH, FUZZ_REQUESTS, FUZZ_PROGRESS } = process.env

/** Total of all files in this folder. */
const TOTAL = 50_000
const requested = Number(FUZZ_REQUESTS ?? TOTAL)
/** The same in every run in CI; a long run uses its own. */
const seed = Number(FUZZ_SEED ?? (FUZZ_PROGRESS ? Date.now() % 2 ** 31 : 20_260_101))

export interface Run<Plan> {
  /** The file, for the command that repeats it. */
  name: string
  /** For all requests together, unless `requests` gives a number. */
  share: number
  requests?: number
  plan: fc.Arbitrary<Plan>
  /** Sends a request; throws when its answer is wrong. */
  send(plan: Plan): Promise<void>
  /** Between two batches of requests; throws like `send`. */
  between(): Promise<void>
}

/** Sends the requests of a run. Asserts that all answers are right. Returns their number. */
export async function run<Plan>(
  t: Test,
  { name, share, requests, plan, send, between }: Run<Plan>,
): Promise<number> {
  const batches = Math.ceil((requests ?? requested * share) / AT_ONCE)
  t.comment(`FUZZ_SEED=${seed}, ${batches * AT_ONCE} requests, ${name}`)
  let sent = 0
  const progress =
    FUZZ_PROGRESS && setInterval(() => process.stderr.write(`${name}: ${sent} requests\n`), 5000)
  // Only absent while a failure is being reduced: then the others run one by one.
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
