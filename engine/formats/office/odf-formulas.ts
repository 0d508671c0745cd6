import { localName, readXml } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { FormulaText } from './formula-text.js'

/** Maximum formulas of a document, and bytes of one. */
const MAX_FORMULAS = 2_000
const MAX_SIZE = 200_000
const OBJECT = /^(.{1,200})\/content\.xml$/
const IS_FORMULA = /^[^<]{0,100}(?:<[?!][^<>]{0,300}>[^<]{0,100}){0,3}<(?:\w{1,20}:)?math[\s>]/

/** The formulas of a document as text, by object path (OpenDocument 1.3 part 3 §14). */
export async function formulasOf(parts: ZipParts): Promise<Map<string, string>> {
  const formulas = new Map<string, string>()
  for (const path of parts.paths) {
    const [, object] = OBJECT.exec(path) ?? []
    if (object === undefined || parts.size(path) > MAX_SIZE) continue
    const xml = await parts.string(path)
    if (IS_FORMULA.test(xml)) formulas.set(object, formulaOf(xml))
    if (formulas.size >= MAX_FORMULAS) break
  }
  return formulas
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
