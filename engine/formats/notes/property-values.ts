import { parseDocument } from 'yaml'
import { keepLinks } from '../../../platform/common/yaml-links.js'

/** Characters of one value passed to the YAML parser. */
const MAX_YAML_LENGTH = 300
const MAX_DEPTH = 4

const LINK = /\[\[[^[\]]{1,500}\]\]/g
/** A text of a list, or alone: in quotes, a link, or plain. */
const TEXT =
  /(?:\s|#[^\n]*\n)*(?:(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|(\[\[[^[\]]{1,500}\]\]))\s*|([^\s#,"'[\]{}][^,[\]{}\n]*)(?:\n\s*)?)(?:,|$)/y

/**
 * The texts of one value in YAML. The parser reads short values only, because it takes a second for 8 kB of quotes and crashes
 * the process on 4 kB of braces (docs/decisions/0015). A value that is not YAML, such as `[[One]], [[Two]]`, is the links in it, or
 * the text that it is.
 */
export function valuesOf(text: string): string[] {
  // An unquoted [[link]] would be a nested list in YAML.
  if (/^\[\[[^[\]]{1,500}\]\]$/.test(text)) return [text]
  if (!/^["'[{&*!]/.test(text)) return [withoutComment(text)]
  return yamlOf(text) ?? textsIn(text) ?? text.match(LINK) ?? [text]
}

/** How many brackets are open at the end of a text. */
export const openBrackets = (text: string): number => depths(text).end

function yamlOf(text: string): string[] | null {
  if (text.length > MAX_YAML_LENGTH || depths(text).most > MAX_DEPTH) return null
  const document = parseDocument(text, { merge: false, uniqueKeys: false })
  if (document.errors.length > 0) return null
  try {
    keepLinks(document, text)
    return textsOf(document.toJS({ maxAliasCount: 0 }))
  } catch {
    // It refers to another value, which only front matter knows.
    return null
  }
}

/** Those of a list of texts, or of one in quotes. */
function textsIn(text: string): string[] | null {
  const isList = text.startsWith('[') && text.endsWith(']')
  const inner = isList ? text.slice(1, -1).trimEnd() : text
  const texts: string[] = []
  for (TEXT.lastIndex = 0; TEXT.lastIndex < inner.length; ) {
    const [all, double, single, link, plain] = TEXT.exec(inner) ?? []
    if (all === undefined || (!isList && all.length < inner.length)) return null
    texts.push(
      unescaped(double) ?? single?.replaceAll("''", "'") ?? link ?? withoutComment(plain ?? '').trimEnd(),
    )
  }
  return texts
}

function unescaped(text: string | undefined): string | undefined {
  if (!text?.includes('\\')) return text
  return text.replace(/\\(.)/g, (_, char: string) => ESCAPED[char] ?? char)
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

function withoutComment(text: string): string {
  const at = text.search(/\s#/)
  return at < 0 ? text : text.slice(0, at).trimEnd()
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return typeof value === 'object' || value === undefined ? [] : [String(value)]
}

function depths(text: string): { most: number; end: number } {
  let [end, most] = [0, 0]
  for (const character of text) {
    if (character === '[' || character === '{') most = Math.max(most, ++end)
    else if (character === ']' || character === '}') end--
  }
  return { most, end }
}
