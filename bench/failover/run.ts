// What users lose when a part fails or is restarted: assistants that ask and refresh, and browsers, at two processes of
// the built service behind HAProxy, on Postgres with a synchronous standby and Redis with Sentinel.
//   npm run bench -- failover [--rounds 3] [--only TEXT]
// A failover of Redis takes `down-after-milliseconds` longer, which is 500 here.
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Count, KINDS, type Kind, Users } from './users.js'
import { inWorld, type World } from './world.js'

const BEFORE_MS = 2000
const AFTER_MS = 3000

/** Resolves when what failed is replaced. */
const FAULTS: Record<string, (world: World) => Promise<unknown>> = {
  'rolling restart': async ({ processes, restart }) => {
    for (const n of [0, 1]) {
      await processes[n]?.stop('SIGTERM')
      await restart(n)
      // HAProxy has to see it before the other one goes.
      await pause(1500)
    }
  },
  'kill -9 of one process, started again': async ({ processes, restart }) => {
    await processes[0]?.stop('SIGKILL')
    await restart(0)
  },
  'Redis: primary killed, Sentinel promotes': async ({ redis }) => {
    await redis.primary.kill()
    await redis.promoted()
  },
  'Redis: primary asked to hand over': async ({ redis }) => {
    await redis.handOver()
    await redis.promoted()
  },
  'Postgres: primary killed, standby promoted at once': async ({ primary, standby }) => {
    await primary.stop('SIGQUIT')
    standby.promote()
  },
}

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
})
const names = Object.keys(FAULTS).filter(name => name.includes(options.only))

console.log(`${options.rounds} rounds, load average ${(loadavg()[0] ?? 0).toFixed(1)}; ${KINDS.join(' / ')}`)
console.log('| | requests | 503 | failed | sign in or connect again | longest wait |')
console.log('|---|---:|---:|---:|---:|---:|')
for (const name of names) {
  const rounds: Record<Kind, Count>[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    await inWorld(async world => {
      const users = new Users(world.target)
      await users.start()
      await pause(BEFORE_MS)
      users.countAnew()
      await FAULTS[name]?.(world)
      await pause(AFTER_MS)
      await users.stop()
      rounds.push(users.counts)
    })
  }
  console.log(row(name, rounds))
}

function row(name: string, rounds: Record<Kind, Count>[]): string {
  const ofEach = (show: (counts: Count[]) => string | number) =>
    KINDS.map(kind => show(rounds.map(counts => counts[kind]))).join(' / ')
  const sums = (['requests', 'refused', 'failed', 'lost'] as const).map(of =>
    ofEach(counts => counts.reduce((total, count) => total + count[of], 0)),
  )
  const longest = ofEach(counts => (Math.max(...counts.map(count => count.longest)) / 1000).toFixed(1))
  return `| ${[name, ...sums, `${longest} s`].join(' | ')} |`
}
