import { posix } from 'node:path'
import { Document } from '../shared/document.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { isOffice } from './office-kind.js'

/**
 * A presentation of PowerPoint, LibreOffice or Google Slides: passages by slide, with its title, tables and the speaker's
 * notes. Pictures, charts and hidden slides are not read (ADR 51).
 */
export const pptx: Format = {
  id: 'pptx',
  title: 'Presentation (PowerPoint)',
  extensions: ['pptx', 'pptm', 'ppsx', 'potx'],
  isBinary: true,
  isZip: true,
  signature: head => isOffice(head, 'ppt'),
  async *parse(bytes, file) {
    const [{ ZipParts }, { xmlElements }, { readSlide }] = await Promise.all([
      import('../shared/zip-parts.js'),
      import('../shared/xml-elements.js'),
      import('./slide.js'),
    ])
    const parts = await ZipParts.open(bytes, 'PPTX')
    const document = new Document(file)
    const { readOfficeProperties } = await import('./office-properties.js')
    await readOfficeProperties(parts, document)
    const text = async (path: string) => (await parts.read(path)).toString('utf8')
    let number = 0
    for (const path of await slidesOf(parts, async path => xmlElements(await text(path)))) {
      number++
      const slide = readSlide(await text(path))
      if (slide.isHidden) continue
      document.addPlace(`Slide ${number}`)
      document.addHeading(number, 2, slide.title)
      for (const line of slide.lines) document.addLine(number, line)
      const notes = await notesOf(parts, path, async path => xmlElements(await text(path)))
      const said = notes ? readSlide(await text(notes)).lines : []
      if (said.length > 0) document.addLine(number, '')
      for (const [at, line] of said.entries()) document.addLine(number, at === 0 ? `Notes: ${line}` : line)
      document.addLine(number, '')
      yield document.take()
    }
    document.end()
    if (!document.hasText) throw new UnreadableFile('This PPTX has no text.')
    yield document.take()
  },
}

type ElementsOf = (path: string) => Promise<{ name: string; attributes: Record<string, string> }[]>

/** The paths of related parts by id (ECMA-376-2 §9.3), and their kinds. */
async function relatedTo(parts: ZipParts, path: string, elementsOf: ElementsOf) {
  const rels = posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`)
  if (!parts.has(rels)) return []
  return (await elementsOf(rels)).flatMap(
    ({ name, attributes: { Id = '', Type = '', Target = '', TargetMode } }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return []
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(posix.dirname(path), Target)
      return parts.has(target) ? [{ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target }] : []
    },
  )
}

const PRESENTATION = 'ppt/presentation.xml'

/** The paths of the slides in their order. */
async function slidesOf(parts: ZipParts, elementsOf: ElementsOf): Promise<string[]> {
  if (!parts.has(PRESENTATION)) throw new UnreadableFile('This is not a PPTX presentation, or it is damaged.')
  const related = new Map(
    (await relatedTo(parts, PRESENTATION, elementsOf)).map(({ id, target }) => [id, target]),
  )
  const listed = (await elementsOf(PRESENTATION)).flatMap(({ name, attributes }) => {
    const target = name === 'sldId' ? related.get(attributes['r:id'] ?? '') : undefined
    return target === undefined ? [] : [target]
  })
  return [...new Set(listed)]
}

async function notesOf(parts: ZipParts, slide: string, elementsOf: ElementsOf): Promise<string | undefined> {
  return (await relatedTo(parts, slide, elementsOf)).find(({ type }) => type === 'notesSlide')?.target
}
