import { linesTarget } from '../shared/text-flow.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { OdfText } from './odf-text.js'
import { isMargin, officeDocument } from './office-properties.js'

/** Reads a text document or presentation in OpenDocument. */
export const readOpenDocument = officeDocument(async function* (parts, document) {
  const lines: string[] = []
  const master = new OdfText(linesTarget(lines))
  if (parts.has('styles.xml')) master.read(await parts.string('styles.xml'))
  for (const line of new Set(lines.filter(isMargin))) for (const each of [line, '']) document.addLine(1, each)
  const text = new OdfText(document, await objectsOf(parts), master.styles)
  for await (const piece of parts.text('content.xml')) {
    text.write(piece)
    yield
  }
  text.end()
})

/** Maximum formulas and charts of a document, and bytes of one. */
const MAX_OBJECTS = 2_000
const MAX_SIZE = 200_000
const OBJECT = /^(.{1,200})\/content\.xml$/
const IS_FORMULA = /^[^<]{0,100}(?:<[?!][^<>]{0,300}>[^<]{0,100}){0,3}<(?:\w{1,20}:)?math[\s>]/
const IS_CHART = /<chart:chart[\s>]/

/** The lines of formulas and charts, by object path (OpenDocument 1.3 part 3 §11 and §14). A formula has one line. */
async function objectsOf(parts: ZipParts): Promise<Map<string, string[]>> {
  const objects = new Map<string, string[]>()
  for (const path of parts.paths) {
    const [, object] = OBJECT.exec(path) ?? []
    if (object === undefined || parts.size(path) > MAX_SIZE || objects.size >= MAX_OBJECTS) continue
    const xml = await parts.string(path)
    const lines: string[] = []
    const isFormula = IS_FORMULA.test(xml)
    if (isFormula || IS_CHART.test(xml)) new OdfText(linesTarget(lines)).read(xml)
    objects.set(object, isFormula ? lines.slice(0, 1) : lines)
  }
  return objects
}
