import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { createDeflate, deflateSync } from 'node:zlib'
import t from 'tap'
import { FileReaders, type ReaderLimits } from '../../../domain/safes/imports/file-readers.js'
import { startChild } from '../../../platform/processes/child.js'
import { docx } from '../../docx.js'
import { pdf, pdfPage } from '../../pdf.js'
import { zip } from '../../zip.js'

const MIB = 1_048_576
/** A reader on this machine is never silent for so long, even if the machine is busy. */
const SILENT_MS = 120_000

interface Outcome {
  /** The reason why the file was refused, or its first bad line. A reader that takes too much memory reports it. */
  problem: string
  passages: number
}

async function outcomeOf(
  format: string,
  bytes: Readable,
  more: Partial<ReaderLimits> = {},
): Promise<Outcome> {
  const from = new URL('../../../domain/safes/imports/file-readers.js', import.meta.url).href
  const limits = { heapMb: 256, memoryMb: 352, silentMs: SILENT_MS, ...more }
  const readers = new FileReaders(limits, limits => startChild('reader-worker', from, limits))
  const outcome = { problem: '', passages: 0 }
  try {
    const reading = { source: `a.${format}`, bytes }
    const never = new AbortController().signal
    for await (const piece of readers.read('ann', { format, spoolFolder: t.testdir() }, reading, never)) {
      outcome.passages = piece.counts.passages
      outcome.problem ||= piece.badLines[0]?.problem ?? ''
    }
  } catch (error) {
    outcome.problem = (error as Error).message
  }
  await readers.close()
  return outcome
}

const bytesOf = (content: Buffer) => Readable.from([content])
function repeated(text: string, bytes: number, before = ''): Readable {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
  return Readable.from(
    (function* () {
      yield Buffer.from(before)
      for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
    })(),
  )
}

t.test('HTML of 100 MB without an end is read as a stream', async t => {
  const { problem, passages } = await outcomeOf('html', repeated('<', 100_000_000))
  t.equal(problem, '')
  t.ok(passages > 10_000, `${passages} passages`)
})

t.test('HTML nested without an end is refused at its line', async t => {
  const { problem } = await outcomeOf('html', repeated('<div>', 50_000_000, '<p>a\n'))
  t.equal(problem, 'This HTML is nested more than 512 levels deep.')
})

t.test('a DOCX nested thousands of levels deep is refused', async t => {
  const open = Array.from(
    { length: 5_000 },
    () => `<w:sdt id="${randomBytes(9).toString('hex')}"><w:sdtContent>`,
  )
  const body = `${open.join('')}x${'</w:sdtContent></w:sdt>'.repeat(5_000)}`
  const { problem } = await outcomeOf('docx', bytesOf(docx(body)), { silentMs: 8_000 })
  t.match(problem, /^(?:The elements of this DOCX are too deep|Reading a\.docx took too)/)
})

t.test('a document that needs too much memory ends the reader, not the service', async t => {
  const run = () => `<w:r><w:t>${randomBytes(40).toString('base64')} </w:t></w:r>`
  const body = `<w:p>${Array.from({ length: 400_000 }, run).join('')}</w:p>`
  const { problem } = await outcomeOf('docx', bytesOf(docx(body)), { heapMb: 32 })
  t.match(
    problem,
    /^Reading a\.docx took too much memory.*\. Nothing was added\. Split the file into smaller ones and add those\.$/,
  )
})

t.test('an EPUB whose chapters unpack to more than 256 MiB together is refused', async t => {
  const numbers = Array.from({ length: 260 }, (_, number) => number)
  const items = numbers.map(n => `<item id="i${n}" href="${n}.xhtml" media-type="application/xhtml+xml"/>`)
  const spine = numbers.map(n => `<itemref idref="i${n}"/>`)
  const book = zip([
    { name: 'META-INF/container.xml', content: '<container><rootfile full-path="b.opf"/></container>' },
    { name: 'b.opf', content: `<package>${items.join('')}${spine.join('')}</package>` },
    ...numbers.map(n => ({ name: `${n}.xhtml`, content: Buffer.alloc(MIB, ' ') })),
  ])
  t.ok(book.length < MIB)
  const { problem } = await outcomeOf('epub', bytesOf(book))
  t.equal(problem, 'This EPUB unpacks to more than 256 MiB.')
})

t.test('a PDF of a million pages, or one that says so, is refused', async t => {
  const pages = (kids: string, count: number) =>
    pdf([
      '<</Type /Catalog /Pages 2 0 R>>',
      `<</Type /Pages /Kids [${kids}] /Count ${count}>>`,
      '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>',
    ])
  const many = await outcomeOf('pdf', bytesOf(pages('3 0 R '.repeat(1_000_000), 1_000_000)))
  t.equal(many.problem, 'This PDF has more than 10,000 pages. Split it into several files.')
  const said = await outcomeOf('pdf', bytesOf(pages('3 0 R', 1_000_000_000)))
  t.match(said.problem, /^This PDF has (?:no text|more than 10,000 pages)/)
})

t.test('streams of a PDF that unpack to gigabytes do not fill the memory', async t => {
  const spaces = await deflated(1_500 * MIB)
  for (const [filter, stream] of [
    ['/FlateDecode', spaces],
    ['[/FlateDecode /FlateDecode]', deflateSync(spaces)],
  ] as const) {
    const { problem } = await outcomeOf('pdf', bytesOf(pdfPage([`/Filter ${filter}`, stream])))
    t.match(problem, /^This PDF has no text/, filter)
  }
})

/** This many spaces, deflated without ever being in memory together. */
async function deflated(bytes: number): Promise<Buffer> {
  return Buffer.concat(
    await repeated(' ', bytes)
      .pipe(createDeflate({ level: 1 }))
      .toArray(),
  )
}
