const LINK = /\[\[[^[\]]{1,500}\]\]/g
/** The next part of a value: quoted text, a link, a map, list punctuation, or plain text. Comments may precede it. */
const PART =
  /((?:\s|#[^\n]*\n)*)(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|(\[\[[^[\]]{1,500}\]\])(?=\s{0,99}(?:[,\]#]|$))|\{[^{}]*\}|([[\],])|([^\s#,"'[\]{}][^,[\]{}]*))\s*/sy

/**
 * The texts of one YAML value, also in nested lists, without a library (docs/decisions/0015). A value that is not YAML, such as `[[One]], [[Two]]`,
 * is read as its links or as text.
 * @param comments receives the comments between and after the texts
 */
export function valuesOf(text: string, comments: string[] = []): string[] {
  // YAML would read an unquoted [[link]] as a nested list.
  if (/^\[\[[^[\]]{1,500}\]\]$/.test(text)) return [text]
  if (!/^["'[{]/.test(text)) return [withoutComment(text, comments)]
  return textsIn(text, comments) ?? text.match(LINK) ?? [text]
}

/** Number of open brackets at the end of a text. */
export function openBrackets(text: string): number {
  let open = 0
  for (const character of text) open += '[{'.includes(character) ? 1 : ']}'.includes(character) ? -1 : 0
  return open
}

/** The texts of a list, without its maps, or of one quoted text; null for anything else. */
function textsIn(text: string, comments: string[]): string[] | null {
  const texts: string[] = []
  let depth = 0
  for (PART.lastIndex = 0; PART.lastIndex < text.length; ) {
    // A comment may follow the value.
    if (depth === 0 && PART.lastIndex > 0) {
      comments.push(text.slice(PART.lastIndex + 1))
      return text[PART.lastIndex] === '#' ? texts : null
    }
    const [all, before = '', double, single, link, mark, plain] = PART.exec(text) ?? []
    if (all === undefined) return null
    if (mark !== undefined) depth += mark === '[' ? 1 : mark === ']' ? -1 : 0
    for (const line of before.split('\n'))
      if (line.trimStart().startsWith('#')) comments.push(line.trimStart().slice(1))
    const bare = plain === undefined ? undefined : withoutComment(plain, comments).trimEnd()
    const said = unescaped(folded(double)) ?? folded(single?.replaceAll("''", "'") ?? link ?? bare)
    if (said !== undefined && !/^(?:null|~)$/.test(bare ?? '')) texts.push(said)
  }
  return depth === 0 ? texts : null
}

/** A line break counts as a space. */
const folded = (text: string | undefined) =>
  text?.includes('\n')
    ? text
        .split('\n')
        .map(line => line.trim())
        .join(' ')
    : text

function unescaped(text: string | undefined): string | undefined {
  if (!text?.includes('\\')) return text
  return text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code: string | undefined, char = '') =>
    code === undefined ? (ESCAPED[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

function withoutComment(text: string, comments: string[]): string {
  const at = text.search(/\s#/)
  if (at < 0) return text
  comments.push(text.slice(at + 2))
  return text.slice(0, at).trimEnd()
}
