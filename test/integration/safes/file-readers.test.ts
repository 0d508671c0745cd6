import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { FileReaders } from '../../../domain/safes/imports/file-readers.js'
import { ImportLimiter } from '../../../domain/safes/imports/import-limiter.js'
import type { ImportPiece } from '../../../domain/safes/imports/import-pieces.js'
import { ImportRejected } from '../../../domain/safes/imports/import-source.js'
import type { Reading } from '../../../domain/safes/imports/reading-bytes.js'
import { startChild } from '../../../platform/processes/child.js'

const limits = { heapMb: 64, memoryMb: 256 }
const never = new AbortController().signal

/** Filling the memory takes a while on a busy machine; only a hanging process gets less time. */
const badReaders = (silentMs = 30_000) =>
  new FileReaders({ ...limits, silentMs }, limits => startChild('bad-reader-worker', import.meta.url, limits))

/** Keeps the processes that are started. */
function realReaders() {
  const started: ChildProcess[] = []
  const from = new URL('../../../domain/safes/imports/file-readers.js', import.meta.url).href
  const readers = new FileReaders({ heapMb: 128, memoryMb: 256, silentMs: 30_000 }, limits => {
    const child = startChild('reader-worker', from, limits)
    started.push(child)
    return child
  })
  return { readers, started }
}

const bytes = (text: string | Buffer): Readable => Readable.from([Buffer.from(text)])

async function readAll(
  readers: FileReaders,
  reading: Reading,
  format = 'csv',
  signal = never,
  account = 'ann',
) {
  const pieces: ImportPiece[] = []
  const spoolFolder = t.testdir()
  for await (const piece of readers.read(account, { format, spoolFolder }, reading, signal))
    pieces.push(piece)
  return pieces
}

t.test(
  'a process that hangs, or takes too much memory anywhere, is killed; the import says where it was',
  async t => {
    const sources = [
      ['hangs', /^Reading notes\/a.md took too long after line 7\. Nothing was added\.$/],
      ['grows', /^Reading notes\/a.md took too much memory after line 7\. Nothing/],
      ['parses', /^Reading notes\/a.md took too much memory after line 7\. Nothing/],
      ['buffers', /^Reading notes\/a.md took too much memory after line 7\. Nothing/],
      [
        'opens',
        /^Reading b.pdf took too much memory\. Nothing was added\. Split the file into smaller ones and add those\.$/,
      ],
    ] as const
    const check = async ([source, problem]: (typeof sources)[number]) => {
      const readers = badReaders(source === 'hangs' ? 1_500 : undefined)
      const files = { files: [{ path: 'b.pdf', open: async () => bytes('') }], problems: [] }
      const error = await readAll(readers, { source, bytes: bytes(''), files }).catch(error => error)
      t.ok(error instanceof ImportRejected, `${source}: a sentence for the owner`)
      t.match(error.message, problem)
      await readers.close()
    }
    await Promise.all(sources.map(check))
  },
)

t.test(
  'reading may take long while it gets on, or waits for its turn on a busy machine (issue 53)',
  async t => {
    const read = async (source: string) => {
      const slow = { ...limits, silentMs: 30_000, totalMs: 900 }
      const readers = new FileReaders(slow, limits =>
        startChild('bad-reader-worker', import.meta.url, limits),
      )
      const pieces = await readAll(readers, { source, bytes: bytes('') }).catch(error => error)
      await readers.close()
      return pieces
    }
    t.equal((await read('works')).length, 11, 'it brings facts all along')
    t.equal((await read('waits')).length, 11, 'it uses no processor time')
    t.match(await read('burns'), { message: /took too long after line 7/ })
  },
)

t.test('a process that dies is an error of the service, not a refusal', async t => {
  for (const source of ['exits', 'throws']) {
    const readers = badReaders()
    const error = await readAll(readers, { source, bytes: bytes('') }).catch(error => error)
    t.notOk(error instanceof ImportRejected)
    t.match(error.message, /^the process that read a file/)
    await readers.close()
  }
})

t.test('one process reads one file after the other, refused ones too; two at once are two', async t => {
  const { readers, started } = realReaders()
  t.teardown(() => readers.close())
  const pieces = await readAll(readers, { source: 'a.csv', bytes: bytes('a,b,c\nno') })
  t.match(pieces.at(-1), { counts: { relations: 1 }, bytesRead: 8, contentHash: /^[\da-f]{64}$/ })
  t.match(
    pieces.flatMap(({ badLines }) => badLines),
    [{ line: 2 }],
  )
  t.match(
    pieces.flatMap(({ rows }) => rows?.relations ?? []),
    [{ id: 1, subjectKey: 'a', predicate: 'b', objectKey: 'c' }],
  )
  await t.rejects(
    readAll(readers, { source: 'a.zip', bytes: bytes('none') }, 'zip'),
    /archive cannot be read/,
  )
  await readAll(readers, { source: 'a.csv', bytes: bytes('a,b,c') })
  t.equal(started.length, 1)
  // Long enough for both to be read at the same time.
  const many = 'a,b,c\n'.repeat(100_000)
  const read = (account: string) =>
    readAll(readers, { source: 'a', bytes: bytes(many) }, 'csv', never, account)
  await Promise.all(['ann', 'bob'].map(read))
  t.equal(started.length, 2)
})

t.test('the next piece is read while one is written; giving up frees the turn at any moment', async t => {
  const { readers, started } = realReaders()
  t.teardown(() => readers.close())
  const rows = Array.from({ length: 5_000 }, (_, at) => `a,b,c${at}`)
  const reading = { source: 'a.csv', bytes: bytes(rows.join('\n')) }
  const read = readers.read('ann', { format: 'csv', spoolFolder: t.testdir() }, reading, never)
  await read.next()
  // The second piece arrives without a request for it.
  while (true) {
    const [message] = await once(started[0] as ChildProcess, 'message')
    if (message.piece) break
  }
  const giveUp = read.return(undefined)
  await readAll(readers, { source: 'b.csv', bytes: bytes('a,b,c') })
  await giveUp
  t.ok(reading.bytes.destroyed)
  t.equal(started.length, 2, 'the process of the first is killed')
})

t.test('a process ends with its parent, also while it hangs, and does not get its settings', async t => {
  const { readers, started } = realReaders()
  t.teardown(() => readers.close())
  process.env.SECRET_SETTING = 'secret'
  t.teardown(() => delete process.env.SECRET_SETTING)
  await readAll(readers, { source: 'a.csv', bytes: bytes('a,b,c') })
  const { pid } = started[0] ?? {}
  if (process.platform === 'linux') t.notMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), 'SECRET_SETTING')

  const parent = spawn(process.execPath, [fileURLToPath(new URL('./parent-of-reader.js', import.meta.url))])
  const [line] = await once(parent.stdout, 'data')
  const child = Number(line)
  t.ok(isRunning(child))
  parent.kill('SIGKILL')
  while (isRunning(child)) await pause(10)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A dead process that nobody has waited for still has an id.
    return (
      process.platform !== 'linux' || !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    )
  } catch {
    return false
  }
}

t.test('a folder is read file by file, each opened when its turn comes and closed in any case', async t => {
  const { readers } = realReaders()
  t.teardown(() => readers.close())
  const log: string[] = []
  const file = (path: string, text: string) => ({
    path,
    async open() {
      log.push(`open ${path}`)
      return bytes(text).once('close', () => log.push(`close ${path}`))
    },
  })
  const files = [file('a.md', 'About [[B]].'), file('b/c.md', 'Text.\0'), file('d.md', 'More.')]
  const problems = [{ file: 'x', problem: 'It is a link.' }]
  const pieces = await readAll(readers, { source: 'notes', files: { files, problems } }, 'folder')
  t.match(
    pieces.flatMap(({ badLines }) => badLines),
    [{ file: 'x' }, { file: 'b/c.md', problem: /NUL/ }],
  )
  t.strictSame(
    pieces.flatMap(({ rows }) => rows?.passages.map(row => row.source) ?? []),
    ['a.md', 'd.md'],
  )
  for (const what of ['open', 'close']) {
    const lines = log.filter(line => line.startsWith(what))
    t.strictSame(
      lines,
      ['a.md', 'b/c.md', 'd.md'].map(path => `${what} ${path}`),
    )
  }
})

t.test('when reading is aborted, the stream is closed and the process killed', async t => {
  const { readers, started } = realReaders()
  t.teardown(() => readers.close())
  const endless = () =>
    Readable.from(
      (function* () {
        for (let i = 0; ; i++) yield Buffer.from(`a${i},b,c\n`.repeat(1000))
      })(),
    )
  const broken = endless()
  for await (const _piece of readers.read(
    'ann',
    { format: 'csv', spoolFolder: t.testdir() },
    { source: 'a', bytes: broken },
    never,
  ))
    break
  t.ok(broken.destroyed)
  const stop = new AbortController()
  const stopped = endless()
  const reading = readAll(readers, { source: 'a', bytes: stopped }, 'csv', stop.signal)
  setTimeout(() => stop.abort(), 100)
  await t.rejects(reading, /was stopped/)
  t.ok(stopped.destroyed)
  t.equal(started.length, 2)
})

t.test('a stream that fails ends the reading, and an archive leaves nothing in its folder', async t => {
  const { readers } = realReaders()
  t.teardown(() => readers.close())
  const spoolFolder = t.testdir()
  const failing = Readable.from(
    (async function* () {
      yield Buffer.from('PK')
      throw new Error('the disk is gone')
    })(),
  )
  failing.on('error', () => {})
  const reading = readers.read(
    'ann',
    { format: 'zip', spoolFolder },
    { source: 'a.zip', bytes: failing },
    never,
  )
  await t.rejects(reading.next(), /the disk is gone/)
  t.strictSame(readdirSync(spoolFolder), [])
})

t.test('files of one account are read one after the other, of several side by side', async t => {
  const limiter = new ImportLimiter()
  const log: string[] = []
  const work = (account: string, name: string) =>
    limiter.run(account, never, async () => {
      log.push(`${name} begins`)
      await pause(20)
      log.push(`${name} ends`)
    })
  await Promise.all([work('ann', 'a1'), work('ann', 'a2'), work('bob', 'b1')])
  t.strictSame(log.slice(0, 2), ['a1 begins', 'b1 begins'], 'not both of ann')
  t.ok(log.indexOf('a1 ends') < log.indexOf('a2 begins'))
})

t.test('an import stopped while waiting leaves the queue', async t => {
  const limiter = new ImportLimiter()
  const stop = new AbortController()
  let release = () => {}
  const first = limiter.run('ann', never, () => new Promise<void>(resolve => (release = resolve)))
  const second = limiter.run('ann', stop.signal, async () => 'ended')
  const third = limiter.run('ann', never, async () => 'read')
  stop.abort()
  t.equal(await second, 'ended')
  release()
  await first
  t.equal(await third, 'read')
})
