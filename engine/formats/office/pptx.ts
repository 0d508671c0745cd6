import type { Document } from '../shared/document.js'
import { UnreadableFile } from '../shared/format.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { drawingsOf } from './drawings.js'
import { officeDocument } from './office-properties.js'
import { addressesOf, type Relation, relationsOf } from './relations.js'
import { readSlide } from './slide.js'

/** Reads the slides in order. */
export const readPptx = officeDocument(async function* (parts, document) {
  for (const [index, path] of (await slidesOf(parts)).entries()) {
    const number = index + 1
    const relations = await relationsOf(parts, path)
    const slide = await slideAt(parts, path, relations)
    if (slide.isHidden) continue
    document.addPlace(`Slide ${number}`)
    document.addHeading(number, 2, slide.title)
    for (const line of slide.lines) document.addLine(number, line)
    for (const { type, target } of relations) {
      if (type === 'notesSlide') addAside(document, number, 'Notes', (await slideAt(parts, target)).lines)
      else if (type === 'comments') addAside(document, number, 'Comment', await commentsIn(parts, target))
    }
    document.addLine(number, '')
    yield
  }
})

async function slideAt(parts: ZipParts, path: string, relations: readonly Relation[] = []) {
  const context = { links: addressesOf(relations), drawings: await drawingsOf(parts, relations) }
  return readSlide(await parts.string(path), context)
}

function addAside(document: Document, number: number, name: string, lines: readonly string[]): void {
  if (lines.length > 0) document.addLine(number, '')
  for (const [at, line] of lines.entries()) document.addLine(number, at === 0 ? `${name}: ${line}` : line)
}

/** The texts of comments in the old and new formats. */
async function commentsIn(parts: ZipParts, path: string): Promise<string[]> {
  return (await parts.elements(path)).flatMap(({ name, text }) =>
    (name === 'text' || name === 't') && text.trim() !== '' ? [text.replace(/\s+/g, ' ').trim()] : [],
  )
}

const PRESENTATION = 'ppt/presentation.xml'

/** The paths of the slides in order. */
async function slidesOf(parts: ZipParts): Promise<string[]> {
  if (!parts.has(PRESENTATION)) throw new UnreadableFile('This is not a PPTX presentation, or it is damaged.')
  const related = new Map((await relationsOf(parts, PRESENTATION)).map(({ id, target }) => [id, target]))
  const elements = await parts.elements(PRESENTATION)
  const listed = elements.flatMap(({ name, attributes }) => {
    const target = name === 'sldId' ? related.get(attributes['r:id'] ?? '') : undefined
    return target === undefined ? [] : [target]
  })
  return [...new Set(listed)]
}
