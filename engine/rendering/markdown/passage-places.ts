import type { Token } from 'markdown-it'
import type { PassagePlace } from '../article.js'

type NewToken = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token

/**
 * Gives each passage its place: a section from its first block to that of the next passage. Of several passages in one
 * block, such as the items of a list, the others have their place at their own element.
 */
export function placePassages(tokens: readonly Token[], passages: readonly PassagePlace[]): readonly Token[] {
  const sections = new Map<Token, PassagePlace>()
  const elements = elementsOf(tokens)
  const blocks = elements.filter(({ level }) => level === 0)
  const elementAt = lastBefore(elements)
  const blockAt = lastBefore(blocks)
  for (const place of [...passages].sort((one, other) => one.line - other.line)) {
    const block = blockAt(place.line) ?? blocks[0]
    const element = elementAt(place.line)
    if (block && !sections.has(block)) sections.set(block, place)
    else if (element && element.attrGet('id') === null) {
      element.attrSet('id', `p-${place.id}`)
      if (place.isRead) element.attrJoin('class', 'read')
    }
  }
  return sections.size === 0 ? tokens : withSections(tokens, sections)
}

/** Tokens with an element and a line, in the order of lines. Footnotes are rendered last, but may come from any line. */
function elementsOf(tokens: readonly Token[]): Token[] {
  const end = tokens.findIndex(({ type }) => type === 'footnote_block_open')
  return (end === -1 ? tokens : tokens.slice(0, end)).filter(
    ({ map, nesting, type, hidden }) => map !== null && nesting !== -1 && type !== 'inline' && !hidden,
  )
}

/** Finds the last token that begins at or before a line. Lines must be given in order. */
function lastBefore(tokens: readonly Token[]): (line: number) => Token | undefined {
  let next = 0
  return line => {
    while (next < tokens.length && (tokens[next]?.map?.[0] ?? 0) < line) next++
    return tokens[next - 1]
  }
}

function withSections(tokens: readonly Token[], sections: Map<Token, PassagePlace>): Token[] {
  // The library does not export its token.
  const Make = tokens[0]?.constructor as NewToken
  let isOpen = false
  const all = tokens.flatMap(token => {
    const place = sections.get(token)
    if (place === undefined) return token
    const open = new Make('section_open', 'section', 1)
    open.attrSet('class', place.isRead ? 'place read' : 'place')
    open.attrSet('id', `p-${place.id}`)
    const before = isOpen ? [close(Make)] : []
    isOpen = true
    return [...before, open, token]
  })
  return [...all, close(Make)]
}

const close = (Make: NewToken) => new Make('section_close', 'section', -1)
