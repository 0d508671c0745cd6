import { isUtf8 } from 'node:buffer'
import { posix } from 'node:path'
import { decodedUri } from '../../../platform/common/decoded-uri.js'
import { timeOf } from '../notes/note-properties.js'
import { Document } from '../shared/document.js'
import { flat } from '../shared/flat.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import { readXml, xmlElements } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { htmlInto } from './html-lines.js'

/** Reads the chapters in order. */
export async function* readEpub(parts: ZipParts, file: SourceFile | undefined) {
  const { path, chapters, tables, title, authors, time } = await packageOf(parts)
  if (await isProtected(parts, chapters)) throw new UnreadableFile(ENCRYPTED)
  const document = new Document(file, title)
  document.time = time
  for (const author of authors) document.relate(1, 'author', author)
  const contents = await contentsOf(parts, tables)
  for (const [index, chapter] of chapters.entries()) {
    const xhtml = await textOf(parts, chapter)
    const named = HEADING.test(xhtml) ? [] : (contents.get(chapter) ?? [])
    const headings = new Map(named.map(({ id, ...heading }) => [id, heading]))
    const begin = headings.get('')
    if (begin) document.addHeading(index + 1, begin.level, begin.title)
    yield* htmlInto(document, xhtml, { isPart: true, lineOf: () => index + 1, headings })
  }
  yield document.finish(`This EPUB has no text: “${path}” names no chapter with any.`)
}

const ENCRYPTED = 'This EPUB is protected against copying (DRM), so its text cannot be read.'

async function textOf(parts: ZipParts, path: string): Promise<string> {
  const bytes = await parts.read(path)
  if (!isUtf8(bytes)) throw new UnreadableFile(`“${path}” in this EPUB is not UTF-8 text.`)
  return bytes.toString('utf8')
}

const elementsOf = async (parts: ZipParts, path: string) => xmlElements(await textOf(parts, path))

/**
 * Reads META-INF/container.xml and the package document (EPUB 3.3 §4.2.6.3.1 and §5): its path, the paths of chapters
 * in reading order and of tables of contents, best first, and properties of the book.
 */
async function packageOf(parts: ZipParts) {
  const root = (await elementsOf(parts, 'META-INF/container.xml')).find(({ name }) => name === 'rootfile')
  const path = root?.attributes['full-path'] ?? ''
  const elements = await elementsOf(parts, path)
  const named = (name: string) => elements.filter(element => element.name === name)
  const items = new Map(named('item').map(({ attributes }) => [attributes.id, attributes]))
  const chapters = named('itemref').flatMap(({ attributes: { idref } }) => {
    const { href, 'media-type': type = '' } = items.get(idref) ?? {}
    return href !== undefined && /html/.test(type) ? [posix.join(posix.dirname(path), unescaped(href))] : []
  })
  const tables = [/\bnav\b/, /dtbncx/].flatMap(kind =>
    named('item')
      .filter(({ attributes }) => kind.test(`${attributes.properties} ${attributes['media-type']}`))
      .map(({ attributes: { href = '' } }) => posix.join(posix.dirname(path), unescaped(href))),
  )
  return {
    path,
    chapters: [...new Set(chapters)],
    tables,
    title: flat(named('title')[0]?.text ?? ''),
    authors: named('creator').map(({ text }) => flat(text)),
    time: timeOf(named('date')[0]?.text ?? ''),
  }
}

const HEADING = /<h[1-6][\s>]/i

interface ChapterTitle {
  /** The id of the element after it; empty for the beginning of the chapter. */
  id: string
  title: string
  level: number
}

/** The chapter titles from the first table of contents with any entries, by path. */
async function contentsOf(parts: ZipParts, tables: readonly string[]): Promise<Map<string, ChapterTitle[]>> {
  const contents = new Map<string, ChapterTitle[]>()
  for (const table of tables) {
    if (contents.size > 0 || !parts.has(table)) continue
    for (const { href, title, level } of entriesOf(await textOf(parts, table))) {
      const path = posix.join(posix.dirname(table), unescaped(href))
      const named = contents.get(path) ?? []
      contents.set(path, named)
      named.push({ id: /#(.+)/s.exec(href)?.[1] ?? '', title, level })
    }
  }
  return contents
}

/** Whether chapters are encrypted. Fonts may be encrypted in any book (EPUB 3.3 §4.2.6.3.2). */
async function isProtected(parts: ZipParts, chapters: readonly string[]): Promise<boolean> {
  const elements = await parts.elements('META-INF/encryption.xml')
  const encrypted = new Set(elements.map(({ attributes: { URI = '' } }) => unescaped(URI)))
  return chapters.some(chapter => encrypted.has(chapter))
}

const unescaped = (href: string) => decodedUri(href.replace(/#.*$/s, ''))

/** An entry of a table of contents. */
interface ContentsEntry {
  /** Relative to the file of the table of contents. */
  href: string
  title: string
  /** From 1. */
  level: number
}

const MAX_ENTRIES = 10_000
const MAX_TITLE = 300

/** The entries of a navigation document (EPUB 3.3 §7) or of an NCX (OPF 2.0 §2.4.1). */
function entriesOf(xml: string): ContentsEntry[] {
  const entries: ContentsEntry[] = []
  let [level, title, href] = [0, '', '']
  /** Lists of pages and landmarks are not a table of contents. */
  let isToc = true
  const add = () => {
    const text = title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE)
    if (isToc && text !== '' && href !== '' && entries.length < MAX_ENTRIES)
      entries.push({ href, title: text, level })
    href = ''
  }
  readXml(xml, {
    onopentag: (name, attributes) => {
      if (name === 'nav') isToc = /^(?:toc)?$/.test(attributes['epub:type'] ?? '')
      else if (name === 'pageList') isToc = false
      else if (name === 'ol' || name === 'navPoint') level++
      if (/^(?:a|text|navLabel)$/.test(name)) title = ''
      if (name === 'a') href = attributes.href ?? ''
      else if (name === 'content') {
        href = attributes.src ?? ''
        add()
      }
    },
    ontext: text => {
      if (title.length < MAX_TITLE) title += text
    },
    onclosetag: name => {
      if (name === 'a') add()
      else if (name === 'ol' || name === 'navPoint') level--
    },
  })
  return entries
}
