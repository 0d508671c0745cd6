import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import type { FromReader, ToReader } from '../../../domain/safes/imports/reader-messages.js'
import { ReadingSession } from '../../../domain/safes/imports/reading-session.js'
import { Talk } from '../../../platform/processes/talk.js'

t.test(
  'a file that is still being opened when the reading ends is closed; nobody gets its bytes',
  async t => {
    const sent: { kind: string }[] = []
    const channel = { ref() {}, unref() {} }
    const send = (message: { kind: string }) => sent.push(message)
    const child = Object.assign(new EventEmitter(), { channel, send, ref() {}, unref() {} })
    let opened = (_stream: Readable) => {}
    const open = () => new Promise<Readable>(resolve => (opened = resolve))
    const reading = { source: 'notes', files: { files: [{ path: 'a.md', open }], problems: [] } }
    const options = { isStarting: true, onEnd() {} }
    const talk = new Talk<ToReader, FromReader>(child as unknown as ChildProcess, options)
    const session = new ReadingSession(talk, reading)
    const job = { format: 'folder', source: 'notes', folder: null, spoolFolder: '' }
    session.begin(job)
    const piece = t.rejects(session.next(), /was stopped/)
    child.emit('message', { kind: 'open', file: 0, request: 1 })
    await nextTurn()
    session.end()
    await piece
    const stream = Readable.from([Buffer.from('text'), Buffer.from('more')])
    const closed = new Promise(resolve => stream.once('close', resolve))
    opened(stream)
    await closed
    t.strictSame(
      sent.map(({ kind }) => kind),
      ['read'],
    )
  },
)
