import { linesTarget } from '../shared/text-flow.js'
import { localName, readXml } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { FormulaText } from './formula-text.js'
import { OdfText } from './odf-text.js'

/** Maximum formulas and charts of a document, and bytes of one. */
const MAX_OBJECTS = 2_000
const MAX_SIZE = 200_000
const OBJECT = /^(.{1,200})\/content\.xml$/
const IS_FORMULA = /^[^<]{0,100}(?:<[?!][^<>]{0,300}>[^<]{0,100}){0,3}<(?:\w{1,20}:)?math[\s>]/
const IS_CHART = /<chart:chart[\s>]/

/** The lines of formulas and charts, by object path (OpenDocument 1.3 part 3 §11 and §14). A formula has one line. */
export async function objectsOf(parts: ZipParts): Promise<Map<string, string[]>> {
  const objects = new Map<string, string[]>()
  for (const path of parts.paths) {
    const [, object] = OBJECT.exec(path) ?? []
    if (object === undefined || parts.size(path) > MAX_SIZE || objects.size >= MAX_OBJECTS) continue
    const xml = await parts.string(path)
    const lines: string[] = []
    if (IS_FORMULA.test(xml)) lines.push(formulaOf(xml))
    else if (IS_CHART.test(xml)) new OdfText(linesTarget(lines)).read(xml)
    objects.set(object, lines)
  }
  return objects
}

function formulaOf(xml: string): string {
  const formula = new FormulaText()
  readXml(xml, {
    onopentag: (name, attributes) => formula.open(localName(name), attributes),
    ontext: text => {
      if (text.trim() !== '') formula.add(text)
    },
    onclosetag: name => formula.close(localName(name)),
  })
  return formula.text()
}
