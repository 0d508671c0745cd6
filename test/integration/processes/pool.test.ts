import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { startChild } from '../../../platform/processes/child.js'
import { Pool } from '../../../platform/processes/pool.js'
import { Lost } from '../../../platform/processes/talk.js'

const LIMITS = { heapMb: 64, memoryMb: 256 }

interface Said {
  pid: number
  text: string
}

/** A pool of processes that repeat what they are told. */
function open(t: Test, options: { silentMs?: number; idleMs?: number } = {}) {
  const started: ChildProcess[] = []
  const start = () => {
    const child = startChild('echo-child', import.meta.url, LIMITS)
    started.push(child)
    return child
  }
  const pool = new Pool<string, Said>({ start, ...options })
  t.teardown(() => pool.end())
  const say = async (text: string, signal?: AbortSignal) => {
    const talk = pool.begin(signal)
    try {
      talk.send(text)
      return await talk.next()
    } finally {
      talk.end(true)
    }
  }
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

t.test('a question has a time, after which its process is ended', async t => {
  const { pool, started } = open(t, { silentMs: 30_000 })
  const talk = pool.begin()
  t.match(await talk.ask('one', 60_000), { text: 'one' })
  await t.rejects(talk.ask('be silent', 50), /lost: silent/)
  const [child] = started as [ChildProcess]
  const ended = once(child, 'exit')
  talk.end(true)
  t.same(await ended, [null, 'SIGKILL'])
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
