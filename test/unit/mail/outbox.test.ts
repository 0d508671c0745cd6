import t, { type Test } from 'tap'
import type { Mail } from '../../../domain/mail/mail.js'
import { Outbox, type OutboxDependencies } from '../../../domain/mail/outbox.js'
import { isPermanent } from '../../../domain/mail/smtp.js'

const mail = { to: 'ann@example.org', subject: 's', text: 't' }

function open(t: Test, more: Partial<OutboxDependencies>) {
  const failures: { attempt: number; isLast: boolean }[] = []
  const dropped: number[] = []
  const sent: Mail[] = []
  const outbox = new Outbox({
    send: async one => {
      sent.push(one)
    },
    isPermanent,
    onFailed: (_, attempt, isLast) => failures.push({ attempt, isLast }),
    onDropped: count => dropped.push(count),
    pauses: [1, 1],
    ...more,
  })
  t.teardown(() => outbox.close())
  return { outbox, failures, dropped, sent }
}

t.test('a message that fails is tried again, and given up in the end', async t => {
  let composed = 0
  let failing = 1
  const { outbox, failures } = open(t, {
    send: async () => {
      if (failing-- > 0) throw Object.assign(new Error(), { responseCode: 450 })
    },
  })
  outbox.add(async () => {
    composed++
    return mail
  })
  await outbox.idle()
  t.same(failures, [{ attempt: 1, isLast: false }])
  t.equal(composed, 1, 'a link is made once')
  failing = 10
  outbox.add(async () => mail)
  await outbox.idle()
  t.same(failures.slice(1), [
    { attempt: 1, isLast: false },
    { attempt: 2, isLast: false },
    { attempt: 3, isLast: true },
  ])
})

t.test('what a server refuses for good is not tried again, nor what is no address', async t => {
  const { outbox, failures, sent } = open(t, {
    send: async () => {
      throw Object.assign(new Error(), { responseCode: 550, code: 'EENVELOPE' })
    },
  })
  outbox.add(async () => mail)
  outbox.add(async () => ({ ...mail, to: 'a@b.example, c@d.example' }))
  await outbox.idle()
  t.same(failures, Array(2).fill({ attempt: 1, isLast: true }))
  t.same(sent, [])
})

t.test('many messages wait for their next attempt without a warning or holding up a stop', async t => {
  const warnings: Error[] = []
  const listen = (warning: Error) => warnings.push(warning)
  process.on('warning', listen)
  t.teardown(() => process.off('warning', listen))
  const { outbox, dropped, failures } = open(t, {
    pauses: [3_600_000],
    send: async () => {
      throw Object.assign(new Error(), { code: 'ECONNECTION' })
    },
  })
  for (let i = 0; i < 20; i++) outbox.add(async () => mail)
  while (failures.length < 20) await new Promise(setImmediate)
  await outbox.close()
  await new Promise(setImmediate)
  t.same(dropped, [20])
  t.same(warnings, [])
})

t.test('a store that is unavailable while composing is asked again', async t => {
  let failing = 1
  const { outbox, failures, sent } = open(t, {})
  outbox.add(async () => {
    if (failing-- > 0) throw new Error('no database')
    return mail
  })
  outbox.add(async () => null)
  await outbox.idle()
  t.same(sent, [mail])
  t.equal(failures.length, 1)
})

t.test('only so many messages wait, two are sent at a time, and a stop gives them up', async t => {
  let running = 0
  let most = 0
  const { outbox, dropped } = open(t, {
    maxWaiting: 5,
    closeMs: 20,
    send: (_, signal) => {
      most = Math.max(most, ++running)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  for (let i = 0; i < 8; i++) outbox.add(async () => mail)
  t.same(dropped, [1, 1, 1])
  await outbox.close()
  t.equal(most, 2)
  t.same(dropped.slice(3), [5])
  outbox.add(async () => mail)
  t.same(dropped.slice(4), [1], 'nothing is accepted any more')
})
