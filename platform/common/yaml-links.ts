import { type Document, isSeq, visit } from 'yaml'

const LINK = /^\[\[[^[\]\r\n]{1,500}\]\]$/

/** Makes an unquoted `[[link]]` in YAML, which is a list in a list, the text that it is meant as. `source` is what was parsed. */
export function keepLinks(document: Document.Parsed, source: string): void {
  visit(document, {
    Seq: (_, { flow, items: [item], range }) => {
      if (!flow || !isSeq(item) || !range) return undefined
      const text = source.slice(range[0], range[1])
      return LINK.test(text) ? document.createNode(text) : undefined
    },
  })
}
