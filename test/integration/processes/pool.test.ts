import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { startChild } from '../../../platform/processes/child.js'
import { Lost, Pool } from '../../../platform/processes/pool.js'
import type { Echo } from './echo-child.js'

const LIMITS = { heapMb: 64, memoryMb: 256 }

class Mistake extends Error {}

/** A pool of processes that repeat their messages. */
function open(t: Test, options: { silentMs?: number; idleMs?: number; answerMs?: number } = {}) {
  const started: ChildProcess[] = []
  const start = () => {
    const child = startChild('echo-child', import.meta.url, LIMITS)
    started.push(child)
    return child
  }
  const pool = new Pool<Echo>({ start, errors: [Mistake], ...options })
  t.teardown(() => pool.end())
  const say = (text: string, signal?: AbortSignal) =>
    pool.result(text, { signal, answer: async question => `${question} nothing` })
  return { pool, started, say }
}

t.test('one that is done does the next job; a second one works only beside it', async t => {
  const { pool, started, say } = open(t)
  pool.warm()
  pool.warm()
  const first = await say('one')
  t.match(first, { pid: started[0]?.pid, text: 'one' })
  t.same(await say('two'), { ...first, text: 'two' })
  t.equal(started.length, 1)
  const both = await Promise.all([say('three'), say('four')])
  t.equal(new Set(both.map(({ pid }) => pid)).size, 2)
  t.equal(started.length, 2)
})

t.test('one that hangs or dies fails its job alone, and is replaced', async t => {
  const { started, say } = open(t, { silentMs: 1_500 })
  const { pid } = await say('one')
  for (const [text, how] of [
    ['hang', 'silent'],
    ['exit', 'exit'],
  ] as const) {
    const [lost, beside] = await Promise.all([say(text).catch(error => error), say('beside')])
    t.ok(lost instanceof Lost)
    t.equal(lost.how, how)
    t.match(beside, { text: 'beside' })
  }
  t.not((await say('next')).pid, pid)
  t.ok(started.length >= 3)
})

t.test('an answer has a time, after which its process is ended', async t => {
  const { started, say } = open(t, { answerMs: 5_000 })
  const first = await say('one')
  const [child] = started as [ChildProcess]
  const ended = once(child, 'exit')
  await t.rejects(say('be silent'), /lost: silent/)
  t.same(await ended, [null, 'SIGKILL'])
  t.not((await say('two')).pid, first.pid)
})

t.test('a job says more than one thing, asks, and is wrong; its process does the next one', async t => {
  const { pool, started, say } = open(t)
  const saying = pool.run('say more')
  t.same(await saying.next(), { done: false, value: 'more' })
  t.match(await saying.next('and more'), { done: true, value: { text: 'and more' } })
  t.match(await say('ask'), { text: 'what? nothing' })
  const mistake = await say('throw').catch(error => error)
  t.ok(mistake instanceof Mistake)
  t.match(mistake, { message: 'wrong', code: 'mistake', stack: /echo-child/ })
  t.match(await say('one'), { text: 'one' })
  t.equal(started.length, 1)
  const unfinished = pool.run('say more')
  await unfinished.next()
  const ended = once(started[0] as ChildProcess, 'exit')
  await unfinished.return(undefined as never)
  t.same(await ended, [null, 'SIGKILL'], 'one whose job is not taken to its end is not used again')
})

t.test('whoever gives up ends the process, and waits no longer', async t => {
  const { started, say } = open(t)
  await say('one')
  const [child] = started as [ChildProcess]
  const stop = new AbortController()
  const ended = once(child, 'exit')
  const saying = say('be silent', stop.signal)
  stop.abort(new Error('given up'))
  await t.rejects(saying, /given up/)
  t.same(await ended, [null, 'SIGKILL'])
})

t.test('one that dies while it waits is forgotten, and one that waits for long is ended', async t => {
  const { started, say } = open(t, { idleMs: 20 })
  await say('one')
  const [child] = started as [ChildProcess]
  t.same(await once(child, 'exit'), [null, 'SIGKILL'], 'nobody needed it')
  const kept = open(t)
  await kept.say('one')
  const [dying] = kept.started as [ChildProcess]
  dying.kill('SIGKILL')
  await once(dying, 'exit')
  t.match(await kept.say('two'), { pid: kept.started[1]?.pid })
})

t.test('ending a pool ends all, and resolves when they have ended', async t => {
  const { pool, started, say } = open(t)
  const [one, silent] = [say('one'), say('be silent')]
  await one
  const lost = t.rejects(silent, /lost: stopped/)
  await pool.end()
  await lost
  t.same(
    started.map(({ signalCode }) => signalCode),
    ['SIGKILL', 'SIGKILL'],
  )
  t.match(await say('two'), { text: 'two' }, 'the next job has a new one')
})
