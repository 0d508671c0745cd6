import { Document } from '../shared/document.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { linesTarget, type TextTarget } from '../shared/text-flow.js'
import { only } from '../shared/whole.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { DocxStyles } from './docx-styles.js'
import { type DocxContext, DocxText } from './docx-text.js'
import { isOffice } from './office-kind.js'
import { type Relation, relationsOf } from './relations.js'

/**
 * A document of Word, LibreOffice or Google Docs: an entity named after its file, with passages by heading.
 * Pictures and linked content are not read.
 */
export const docx: Format = {
  id: 'docx',
  title: 'Word document',
  extensions: ['docx'],
  isBinary: true,
  isZip: true,
  signature: head => isOffice(head, 'word'),
  async *parse(bytes, file) {
    const [{ ZipParts }, { readOfficeProperties }] = await Promise.all([
      import('../shared/zip-parts.js'),
      import('./office-properties.js'),
    ])
    const parts = await ZipParts.open(bytes, 'DOCX')
    const document = new Document(file)
    await readOfficeProperties(parts, document)
    for await (const _ of readInto(parts, document)) yield document.take()
    yield document.finish('This DOCX has no text.')
  },
}

/** Maximum nesting of embedded documents. */
const MAX_DEPTH = 2
const MAIN = 'word/document.xml'

async function* readInto(parts: ZipParts, target: TextTarget, depth = 0): AsyncGenerator<void> {
  const main = (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')?.target ?? MAIN
  if (!parts.has(main) || !(await isWordprocessing(parts, main)))
    throw new UnreadableFile('This is not a DOCX document, or it is damaged.')
  const relations = await relationsOf(parts, main)
  const of = (kind: RegExp) => relations.filter(({ type, isOutside }) => kind.test(type) && !isOutside)
  const [style, numbering] = [of(/^styles$/)[0], of(/^numbering$/)[0]]
  const styles = new DocxStyles(
    style ? await parts.elements(style.target) : [],
    numbering ? await parts.elements(numbering.target) : [],
  )
  const notes = new Map<string, string>()
  for (const { target } of of(/^(?:footnotes|endnotes|comments)$/)) {
    const context = await contextOf(parts, await relationsOf(parts, target), styles, MAX_DEPTH)
    const lines: string[] = []
    const onNote = (key: string, author: string) => {
      const text = lines.splice(0).filter(Boolean).join(' ')
      const by = author.trim() === '' ? 'Comment:' : `Comment by ${author.trim()}:`
      if (text !== '') notes.set(key, key.startsWith('comment') ? `${by} ${text}` : text)
    }
    yield* new DocxText(linesTarget(lines), { ...context, onNote }).read(await parts.string(target))
  }
  for (const line of await marginsOf(parts, of(/^(?:header|footer)$/), styles)) target.addLine(1, line)
  const context = await contextOf(parts, relations, styles, depth)
  yield* new DocxText(target, { ...context, notes }).read(await parts.string(main))
}

const isWordprocessing = async (parts: ZipParts, path: string) =>
  /<(?:\w{1,20}:)?document\b/.test((await parts.read(path)).toString('latin1', 0, 20_000))

async function contextOf(
  parts: ZipParts,
  relations: readonly Relation[],
  styles: DocxStyles,
  depth: number,
): Promise<DocxContext> {
  const [{ drawingsOf }, { chunksOf }] = await Promise.all([
    import('./drawings.js'),
    import('./docx-chunks.js'),
  ])
  const chunks =
    depth >= MAX_DEPTH ? [] : await chunksOf(parts, relations, bytes => linesIn(bytes, depth + 1))
  return {
    styles,
    links: new Map(relations.filter(({ isOutside }) => isOutside).map(({ id, target }) => [id, target])),
    inserted: new Map([...(await drawingsOf(parts, relations)), ...chunks]),
    notes: new Map(),
  }
}

/** Headers and footers, each text once and without page numbers. */
async function marginsOf(
  parts: ZipParts,
  relations: readonly Relation[],
  styles: DocxStyles,
): Promise<string[]> {
  const found = new Set<string>()
  for (const { type, target } of relations.slice(0, MAX_MARGINS)) {
    const lines: string[] = []
    const context = await contextOf(parts, await relationsOf(parts, target), styles, MAX_DEPTH)
    for (const _ of new DocxText(linesTarget(lines), context).read(await parts.string(target)));
    const text = lines.filter(Boolean).join(' ')
    if (/\p{L}{2}/u.test(text.replace(/\b(?:page|of|seite|von|sida)\b/gi, '')))
      found.add(`${type === 'header' ? 'Header' : 'Footer'}: ${text}`)
  }
  return [...found].flatMap(line => [line, ''])
}

const MAX_MARGINS = 30

async function linesIn(bytes: Buffer, depth: number): Promise<string[]> {
  const { ZipParts } = await import('../shared/zip-parts.js')
  const lines: string[] = []
  for await (const _ of readInto(await ZipParts.open(only(bytes), 'DOCX'), linesTarget(lines), depth));
  return lines
}
