import { UnreadableFile } from '../shared/format.js'
import { linesTarget, type TextTarget } from '../shared/text-flow.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { DocxStyles } from './docx-styles.js'
import { type DocxContext, DocxText } from './docx-text.js'
import { drawingsOf } from './drawings.js'
import { isMargin, officeDocument } from './office-properties.js'
import { addressesOf, relationsOf } from './relations.js'

const MAIN = 'word/document.xml'
/** Maximum headers and footers. */
const MAX_MARGINS = 30
const EMBEDDED =
  'This document embeds others (altChunk), which were left out. Open and save it in Word, then add it again.'

export const readDocx = officeDocument(async function* (parts, document, file) {
  const main = (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')?.target ?? MAIN
  if (!parts.has(main) || !(await isWordprocessing(parts, main)))
    throw new UnreadableFile('This is not a DOCX document, or it is damaged.')
  const relations = await relationsOf(parts, main)
  if (relations.some(({ type }) => type === 'aFChunk')) file?.remark?.(1, EMBEDDED)
  const of = (kind: RegExp) => relations.filter(({ type, isOutside }) => kind.test(type) && !isOutside)
  const [style, numbering] = [of(/^styles$/)[0], of(/^numbering$/)[0]]
  const styles = new DocxStyles(
    style ? await parts.elements(style.target) : [],
    numbering ? await parts.elements(numbering.target) : [],
  )
  const notes = new Map<string, string>()
  const read = async (path: string, target: TextTarget, onNote?: DocxContext['onNote']) => {
    const related = await relationsOf(parts, path)
    const drawings = await drawingsOf(parts, related)
    const context = { styles, links: addressesOf(related), drawings, notes, ...(onNote && { onNote }) }
    return new DocxText(target, context).read(await parts.string(path))
  }
  for (const { target } of of(/^(?:footnotes|endnotes|comments)$/)) {
    const lines: string[] = []
    const onNote = (key: string, author: string) => {
      const text = lines.splice(0).filter(Boolean).join(' ')
      const by = author.trim() === '' ? 'Comment:' : `Comment by ${author.trim()}:`
      if (text !== '') notes.set(key, key.startsWith('comment') ? `${by} ${text}` : text)
    }
    yield* await read(target, linesTarget(lines), onNote)
  }
  const margins = new Set<string>()
  for (const { type, target } of of(/^(?:header|footer)$/).slice(0, MAX_MARGINS)) {
    const lines: string[] = []
    yield* await read(target, linesTarget(lines))
    const line = `${type === 'header' ? 'Header' : 'Footer'}: ${lines.filter(Boolean).join(' ')}`
    if (isMargin(line)) margins.add(line)
  }
  for (const line of margins) for (const each of [line, '']) document.addLine(1, each)
  yield* await read(main, document)
})

const isWordprocessing = async (parts: ZipParts, path: string) =>
  /<(?:\w{1,20}:)?document\b/.test((await parts.read(path)).toString('latin1', 0, 20_000))
