/** What elements that one part of a selector fits refer to: `tag`, `.class`, `#id`, or `*` for those that may be any. */
export type StyleReferences = ReadonlyMap<string, ReadonlySet<string>>

const COMMENT = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g
const ESCAPE = /\\(?:([\da-f]{1,6})\s?|([^\n]))/gi
const ADDRESS = /url\(|#/i
/** The last thing that a selector names, if that is all that stands at its end. */
const LAST = /(?:^|[\s>+~])(?:[\w-]+\|)?([\w-]*)((?:[.#][\w-]+)*)$/
const URL_TEXT = /url\(([^)]*)/gi
const LONGEST_ID = 500

/** Without what CSS writes in other ways: comments and escapes. */
export const plainCss = (css: string): string =>
  css.replace(COMMENT, ' ').replace(ESCAPE, (_, code: string | undefined, sign = '') => {
    const point = code === undefined ? null : Number.parseInt(code, 16)
    return point === null ? sign : String.fromCodePoint(point > 0x10ffff ? 0xfffd : point)
  })

/** Whether a style sheet brings another one along that cannot be looked into. */
export const bringsOther = (css: string): boolean => /data:\s*(?:text\/css|image\/svg)/i.test(css)

/**
 * The references of rules such as `.a, g > #b { fill: url(#c) }`. Of each selector only the last part counts, so that it fits
 * more elements than in a browser, and never fewer.
 */
export function styleReferences(css: string): StyleReferences {
  const found = new Map<string, Set<string>>()
  const add = (key: string, ids: readonly string[]) => {
    const known = found.get(key) ?? new Set()
    for (const id of ids) known.add(id)
    found.set(key, known)
  }
  const plain = plainCss(css)
  let from = 0
  for (let open = plain.indexOf('{'); open !== -1; open = plain.indexOf('{', from)) {
    const close = plain.indexOf('}', open)
    const inner = plain.lastIndexOf('{', close === -1 ? plain.length : close)
    const body = plain.slice(inner + 1, close === -1 ? plain.length : close)
    const head = plain.slice(Math.max(from, plain.lastIndexOf('{', inner - 1) + 1), inner)
    from = close === -1 ? plain.length : close + 1
    if (!ADDRESS.test(body)) continue
    const ids = [...body.matchAll(URL_TEXT)].flatMap(([, address = '']) => idIn(address))
    if (ids.length === 0 || /^\s*@font-face\s*$/i.test(head)) continue
    for (const selector of head.split(',')) for (const key of keysOf(selector)) add(key, ids)
  }
  return found
}

/** What an address refers to within its document: `'other.svg#id'`. */
function idIn(address: string): string[] {
  const [, id] = /#([^"']*)/.exec(address) ?? []
  return id === undefined ? [] : [id.slice(0, LONGEST_ID)]
}

/** The rarest part: an id, a class, or the name of the element. */
function keysOf(selector: string): string[] {
  const [, tag = '', rest = ''] = LAST.exec(selector.trim()) ?? []
  const [key] = [...rest.matchAll(/[.#][\w-]+/g)].map(([part]) => part).sort()
  return [key ?? (tag === '' ? '*' : tag.toLowerCase())]
}
