import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../../../platform/common/package.js'

/** Every tag of our own pages and pictures; any other one came from outside. */
const TAGS = new Set(
  readdirSync(join(rootDir, 'views'), { recursive: true })
    .map(file => `views/${file}`)
    .filter(file => file.endsWith('.eta'))
    .concat('engine/pictures/svg.ts', 'routes/pages/things/marked-words.ts')
    .flatMap(file => [...readFileSync(join(rootDir, file), 'utf8').matchAll(/<([a-z][a-z0-9]*)/g)])
    .map(([, tag]) => tag),
)

/** Attributes that make a browser navigate, load or run something. */
const LINKS = new Set(['href', 'src', 'action', 'formaction', 'data', 'poster', 'content'])

/** Like a browser's tokenizer (HTML §13.2.5), for the content of well-formed and broken pages. */
const TOKEN =
  /<!--([\s\S]*?)(?:-->|$)|<!([^>]*)>|<(\/?)([A-Za-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|<[^\s=]/g
const ATTRIBUTE = /([^\s/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g

/** The part of a page that is not from our views; null: nothing. */
export function foreignMarkup(page: string): string | null {
  let inside = ''
  for (const [token, comment, declaration, closing, name, attributes = ''] of page.matchAll(TOKEN)) {
    const tag = name?.toLowerCase()
    if (comment !== undefined) return `a comment: ${token}`
    if (declaration !== undefined && declaration !== 'doctype html') return `a declaration: ${token}`
    if (declaration !== undefined) continue
    if (!tag) return `a loose bracket: ${token}`
    if (!TAGS.has(tag)) return `a tag: ${token}`
    if (inside === 'script' && !(closing && tag === 'script')) return `something in a script: ${token}`
    inside = closing ? '' : tag
    const problem = foreignAttribute(tag, attributes)
    if (problem) return `${problem}: ${token}`
  }
  const [, script] = /<script[^>]*>([\s\S]*?)<\/script/.exec(page) ?? []
  return script ? `a script: ${script}` : null
}

function foreignAttribute(tag: string, attributes: string): string | null {
  const seen = new Set<string>()
  for (const [, name = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? ''
    if (!/^[a-z][a-z0-9-]*$/i.test(name) || /^on|svc-fuzz/i.test(name)) return `the attribute ${name}`
    if (seen.has(name)) return `the attribute ${name} twice`
    seen.add(name)
    if (bare !== undefined && !/^\w+$/.test(bare)) return `the unquoted value of ${name}`
    if (/[<>]/.test(value)) return `an unescaped value of ${name}`
    if (tag !== 'meta' && LINKS.has(name) && !isOurs(value)) return `the address in ${name}`
  }
  return null
}

/** One of our paths, or the page itself; never another scheme or host. */
const isOurs = (link: string) => /^(?:\/(?![/\\])|#|\?|https:\/\/(?!.*svc-fuzz))/.test(link)
