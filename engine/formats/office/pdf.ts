import { timeOf } from '../notes/note-properties.js'
import { Document } from '../shared/document.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { wholeOf } from '../shared/whole-file.js'
import { CharacterMaps } from './pdf-character-maps.js'
import type { PdfText } from './pdf-page.js'

/** Maximum pages of a document, and milliseconds for all of them and for one. */
const MAX_PAGES = 10_000
const MAX_LENGTH = 300_000
const MAX_PAGE_LENGTH = 5_000

/**
 * A PDF with text: an entity named after its file, with passages by page. Nothing external is loaded, and no
 * scripts run.
 */
export const pdf: Format = {
  id: 'pdf',
  title: 'PDF with text',
  extensions: ['pdf'],
  isBinary: true,
  signature: ({ bytes }) => bytes.subarray(0, 1_024).includes('%PDF-'),
  async *parse(bytes, file) {
    const whole = await wholeOf(bytes, 'PDF')
    if (!whole.subarray(0, 1_024).includes('%PDF-'))
      throw new UnreadableFile('This is not a PDF: it does not begin with “%PDF-”.')
    const document = new Document(file)
    const refused = { streams: 0, pages: 0 }
    const opened = await open(whole, refused)
    try {
      await readProperties(opened, document)
      yield* readPages(opened, document, refused)
    } finally {
      await opened.loadingTask.destroy()
    }
    yield document.finish(refused.pages > 0 ? TOO_LARGE : ONLY_PICTURES)
  },
}

const TOO_LARGE = 'This PDF has no text on pages that unpack to at most 8 MiB.'
const ONLY_PICTURES =
  'This PDF has no text; its pages are pictures. Recognise the text first (OCR), then add the file again.'

type Opened = Awaited<ReturnType<typeof open>>

/** Skipped streams of the current page, which unpack to too much, and the number of pages with any. */
interface Refused {
  streams: number
  pages: number
}

async function open(whole: Buffer, refused: Refused) {
  const { loadPdfjs } = await import('./pdf-library.js')
  const { getDocument } = await loadPdfjs(() => void refused.streams++)
  try {
    return await getDocument({
      // Not a copy: PDF.js takes ownership, and nothing else needs it.
      data: new Uint8Array(whole.buffer, whole.byteOffset, whole.length),
      isEvalSupported: false,
      useSystemFonts: false,
      disableFontFace: true,
      useWorkerFetch: false,
      useWasm: false,
      BinaryDataFactory: CharacterMaps,
      cMapUrl: '/',
      cMapPacked: true,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      enableXfa: false,
      verbosity: 0,
    }).promise
  } catch (error) {
    const isLocked = (error as Error).name === 'PasswordException'
    throw new UnreadableFile(isLocked ? LOCKED : 'This PDF is damaged: it cannot be opened.')
  }
}

const LOCKED = 'This PDF has a password. Save it without one, then add it again.'

async function readProperties(opened: Opened, document: Document): Promise<void> {
  const { info } = (await opened.getMetadata().catch(() => ({ info: {} }))) as {
    info: Record<string, unknown>
  }
  if (typeof info.Title === 'string') document.addName(1, info.Title)
  // `D:20260503120000+02'00'`
  const [, year, month, day] = /^D:(\d{4})(\d\d)(\d\d)/.exec(String(info.CreationDate)) ?? []
  document.time = timeOf(`${year}-${month}-${day}`)
}

async function* readPages(opened: Opened, document: Document, refused: Refused) {
  const { extrasOf, paragraphsOf } = await import('./pdf-page.js')
  const layers = await opened.getOptionalContentConfig().catch(() => null)
  const until = performance.now() + MAX_LENGTH
  if (opened.numPages > MAX_PAGES)
    throw new UnreadableFile('This PDF has more than 10,000 pages. Split it into several files.')
  for (let number = 1; number <= opened.numPages; number++) {
    if (performance.now() > until)
      throw new UnreadableFile(
        `This PDF takes too long to read: after 5 minutes only ${number - 1} pages were read.`,
      )
    document.addPlace(`Page ${number}`)
    refused.streams = 0
    try {
      const page = await opened.getPage(number)
      const { fields, notes } = extrasOf(await page.getAnnotations().catch(() => []))
      for (const paragraph of [...paragraphsOf(await textsOf(page, layers), fields), ...notes]) {
        for (const line of paragraph.split('\n')) document.addLine(number, line)
        document.addLine(number, '')
      }
      page.cleanup()
    } catch (error) {
      if ((error as Error).name === 'TimeoutError')
        document.addProblem(number, `Page ${number} of this PDF takes too long to read.`)
      else if (refused.streams === 0) document.addProblem(number, `Page ${number} of this PDF is damaged.`)
    }
    if (refused.streams > 0) {
      refused.pages++
      document.addProblem(number, `Page ${number} of this PDF unpacks to more than 8 MiB.`)
    }
    yield document.take()
  }
}

type Page = Awaited<ReturnType<Opened['getPage']>>
type Layers = Awaited<ReturnType<Opened['getOptionalContentConfig']>> | null

/** Whether each optional content of a page is switched off, in order (ISO 32000-1 §8.11); null if none is. */
async function switchedOff(page: Page, layers: Layers): Promise<boolean[] | null> {
  if (
    !layers ||
    [...(layers as unknown as Iterable<[string, { visible: boolean }]>)].every(([, { visible }]) => visible)
  )
    return null
  const { OPS } = await (await import('unpdf')).getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  return fnArray.flatMap((operator: number, at: number) => {
    const [tag, content] = operator === OPS.beginMarkedContentProps ? (argsArray[at] ?? []) : []
    // Optional content that contains a whole form is not listed with the texts.
    const isOfText = tag === 'OC' && fnArray[at + 1] !== OPS.paintFormXObjectBegin
    return isOfText ? [!layers.isVisible(content)] : []
  })
}

/** An item of PDF.js: a text, or a marker around optional content. */
type Item = PdfText & { type?: string; tag?: string }

/** The visible texts of a page. @throws DOMException TimeoutError: a page must not block other files for long */
async function textsOf(page: Page, layers: Layers): Promise<PdfText[]> {
  const off = await switchedOff(page, layers)
  const pieces: ReadableStream<{ items: Item[] }> = page.streamTextContent({
    includeMarkedContent: off !== null,
  })
  const texts: PdfText[] = []
  const around: boolean[] = []
  let at = 0
  const signal = AbortSignal.timeout(MAX_PAGE_LENGTH)
  for await (const { items } of pieces.pipeThrough(new TransformStream(), { signal }))
    for (const item of items)
      if (item.type === undefined) texts.push(around.includes(true) ? { ...item, str: '' } : item)
      else if (item.type === 'endMarkedContent') around.pop()
      else around.push(item.tag === 'OC' && (off?.[at++] ?? false))
  return texts
}
