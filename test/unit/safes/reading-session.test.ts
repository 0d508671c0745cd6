import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import t from 'tap'
import { ReadingSession } from '../../../domain/safes/imports/reading-session.js'

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
    const session = new ReadingSession(child as unknown as ChildProcess, reading, 30_000)
    const job = { format: 'folder', source: 'notes', folder: null, spoolFolder: '' }
    session.begin(job, new AbortController().signal)
    child.emit('message', { kind: 'open', file: 0, request: 1 })
    session.end()
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
