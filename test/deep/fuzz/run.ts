import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { Test } from 'tap'

/** Sent at the same time; what they use up is made anew after them. */
const AT_ONCE = 40
/** An answer takes milliseconds, a slowed sign-in two seconds (RULES C9); and other tests may hold both cores. */
const DEADLINE_MS = 15_000
/** What a run may add to the heap between its first quarter and its end, however long it is. */
const GROWTH_BYTES = 24 * 1024 * 1024

const { FUZZ_SEED, FUZZ_PATH, FUZZ_REQUESTS, FUZZ_PROGRESS } = process.env

/** What a file may take, also where other work holds every core. */
export const FILE_MS = FUZZ_PROGRESS ? 0 : 600_000

/** Of the whole of a run in CI. */
/** As part of `npm test`; `npm run test:long` asks for 50,000. */
const TOTAL = 10_000
const requested = Number(FUZZ_REQUESTS ?? TOTAL)
/** The same in every run in CI; a long run goes its own way. */
const seed = Number(FUZZ_SEED ?? (FUZZ_PROGRESS ? Date.now() % 2 ** 31 : 20_260_101))

export interface Run<Plan> {
  /** Of its file, for the command that repeats it. */
  name: string
  /** Of all requests. */
  share: number
  plan: fc.Arbitrary<Plan>
  /** Sends one; throws when something about its answer is not as it should be. */
  send(plan: Plan): Promise<void>
  /** Between two handfuls of requests; throws as `send`. */
  between(): Promise<void>
}

/** Sends a run's requests. Asserts that nothing was wrong with any, and that the heap is as it was. Returns how many. */
export async function run<Plan>(t: Test, { name, share, plan, send, between }: Run<Plan>): Promise<number> {
  const batches = Math.ceil((requested * share) / AT_ONCE)
  t.comment(`FUZZ_SEED=${seed}, ${batches * AT_ONCE} requests, ${name}`)
  let sent = 0
  let heap = 0
  const progress =
    FUZZ_PROGRESS && setInterval(() => process.stderr.write(`${name}: ${sent} requests\n`), 5000)
  // Never absent unless a failure is being shrunk: then the others go one by one.
  const maybe = fc.option(plan, { freq: 2 ** 30, nil: null })
  const handful = fc.tuple(...Array.from({ length: AT_ONCE }, () => maybe))
  const property = fc.asyncProperty(handful, async plans => {
    const present = plans.filter(plan => plan !== null)
    const results = await Promise.allSettled(present.map(plan => inTime(send(plan))))
    const failed = results.find(result => result.status === 'rejected')
    if (failed) throw failed.reason
    await between()
    sent += present.length
    if (heap === 0 && sent >= (batches * AT_ONCE) / 4) heap = usedHeap()
  })
  const result = await fc.check(property, {
    seed,
    numRuns: batches,
    ...(FUZZ_PATH ? { path: FUZZ_PATH } : {}),
    ...(FUZZ_PROGRESS ? {} : { interruptAfterTimeLimit: FILE_MS - 60_000, markInterruptAsFailure: true }),
  })
  clearInterval(progress || undefined)
  if (result.failed) {
    const error = result.errorInstance as Error | null
    const left = result.counterexample?.[0].filter(plan => plan !== null).map(plan => JSON.stringify(plan))
    t.comment(
      `again: FUZZ_SEED=${seed} FUZZ_PATH=${result.counterexamplePath} npx tap test/fuzz/${name}.test.ts`,
    )
    t.comment(`left of ${AT_ONCE}:\n${left?.join('\n')}`)
    t.fail(error?.message ?? 'the time was up')
    return 0
  }
  const growth = usedHeap() - heap
  if (heap > 0) t.ok(growth < GROWTH_BYTES, `the heap grew by ${(growth / 2 ** 20).toFixed(1)} MiB`)
  return sent
}

function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), DEADLINE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const collect = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()

function usedHeap(): number {
  collect()
  return process.memoryUsage().heapUsed
}
