import { type Handler, Parser } from 'htmlparser2'
import { piecesOf } from './lines.js'

/** An element of a small XML file, with the text directly inside it. */
export interface XmlElement {
  /** Without its prefix. */
  name: string
  attributes: Record<string, string>
  text: string
}

/** A name without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The relationship id of an element (ECMA-376-1 §22.8.2.1): `r:id` with any prefix. */
export const relationOf = (attributes: Readonly<Record<string, string>>): string | undefined =>
  attributes['r:id'] ?? Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]

/** Passes the parts of an XML file to `handler` in document order. Entities of a DTD are not expanded. */
export function readXml(xml: string, handler: Partial<Handler>): void {
  const parser = new Parser(handler, { xmlMode: true })
  for (const piece of piecesOf(xml)) parser.write(piece)
  parser.end()
}

/** Maximum nesting depth and characters of a file; deeper elements are left out. */
const MAX_DEPTH = 100
const MAX_LENGTH = 4_194_304

/** The elements in document order. Entities of a DTD are not expanded. */
export function xmlElements(xml: string): XmlElement[] {
  const found: XmlElement[] = []
  const open: XmlElement[] = []
  readXml(xml.slice(0, MAX_LENGTH), {
    onopentag: (name, attributes) => {
      const element = { name: localName(name), attributes, text: '' }
      if (open.push(element) <= MAX_DEPTH) found.push(element)
    },
    ontext: text => {
      const element = open.at(-1)
      if (element) element.text += text
    },
    onclosetag: () => void open.pop(),
  })
  return found
}
