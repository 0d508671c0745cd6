import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { SetUp } from '../../helper.js'
import { type Plan, render } from './plan.js'
import { checkAnswer } from './properties.js'
import { type Run, run } from './run.js'
import { FuzzedService } from './service.js'
import { answersIn, asRead, bytesOf, exchange, isWhole, type Wire } from './sockets.js'

/** For a service that is called without a socket. */
export const ask = (service: FuzzedService, plan: Plan) => service.ask(plan)

/** A test of the whole service, with its requests. */
export interface Fuzz<P> extends Omit<Run<P>, 'send' | 'between'> {
  setUp: SetUp
  /** Whether the service listens. */
  overSockets?: boolean
  send(service: FuzzedService, plan: P): Promise<void>
}

/** The state of the service after all these requests equals the state before. */
export async function fuzz<P>(
  t: Test,
  { send, setUp, overSockets = false, ...options }: Fuzz<P>,
): Promise<void> {
  const service = await FuzzedService.open(t, setUp)
  await service.checkGood(t)
  if (overSockets) await service.app.listen({ host: '127.0.0.1', port: 0 })
  const before = await service.snapshot()
  const sent = await run(t, {
    ...options,
    send: plan => send(service, plan),
    between: () => service.between(overSockets),
  })
  await service.checkAfter(t, before)
  // Takes longer than all requests of a short run.
  if (process.env.DEEP) await service.checkGood(t)
  if (!overSockets && sent >= 10_000) service.checkReached(t)
}

/** For a service that listens. */
export async function sendBytes(
  { app, world }: FuzzedService,
  { plan, damage, parted }: Wire,
): Promise<void> {
  const request = render(plan, world)
  const bytes = bytesOf(request, damage)
  const whole = isWhole(request, damage)
  try {
    const { port } = app.server.address() as AddressInfo
    const answers = answersIn(await exchange(port, bytes, parted, whole))
    if (whole && answers.length !== 1) throw new Error(`${answers.length} answers to one request`)
    for (const answer of answers) checkAnswer(whole ? request : asRead(request, bytes, world), answer, world)
  } catch (error) {
    const replay = `printf %s ${bytes.toString('base64')} | base64 -d | nc -q 1 localhost 3000`
    throw new Error(`${(error as Error).message}\n${replay}`, { cause: error })
  }
}
