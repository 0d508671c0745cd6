import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

/** Requests of the bench to a program that it measures. */
export type Question =
  | { ask: 'cpu' }
  | { ask: 'profile' }
  | { ask: 'profile-end'; file: string; requests: number }

const SAMPLE_MICROSECONDS = 200

/** Signals the bench that this program is ready, answers its requests, and ends with it. */
export function ready(hello: object, close: () => unknown): void {
  const session = new Session()
  let cpuBefore = 0
  const stop = async () => {
    await close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('disconnect', stop)
  process.on('message', async (question: Question) => {
    if (question.ask === 'profile') {
      session.connect()
      await session.post('Profiler.enable')
      await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS })
      await session.post('Profiler.start')
      cpuBefore = cpuMicroseconds()
    } else if (question.ask === 'profile-end') {
      const cpu = cpuMicroseconds() - cpuBefore
      const { profile } = await session.post('Profiler.stop')
      session.disconnect()
      writeFileSync(question.file, JSON.stringify({ ...profile, cpu, requests: question.requests }))
    }
    process.send?.(cpuMicroseconds())
  })
  process.send?.(hello)
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
