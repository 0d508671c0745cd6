import type { World } from './world.js'

/** The data that mutations change: plain values and names alike. */
export type Tree = null | boolean | number | string | Tree[] | { [name: string]: Tree }

/**
 * A request as it is generated: live values are written as `‹name›`, so that it is the same in every run with one seed.
 * Lists of pairs hold names and values. Mutations may put anything anywhere, so rendering takes what it finds.
 */
export interface Plan {
  /** Its form before the mutation, e.g. `POST /oauth/token`. */
  route: string
  method: string
  path: Tree
  query?: Tree
  headers: Tree
  form?: Tree
  json?: Tree
  /** A multipart body: lists of `[name, value]` and `[name, content, file name]`. */
  parts?: Tree
  /** A body as text, instead of all others. */
  text?: string
  splices?: Splice[]
}

/** Replaces `remove` characters of the rendered text, `at` ten-thousandths into it. */
export interface Splice {
  part: 'path' | 'query' | 'body'
  at: number
  remove: number
  insert: string
}

/** A request with all values filled in. */
export interface Request {
  route: string
  method: string
  path: string
  query: string
  headers: [string, string][]
  body: Buffer | null
}

export const BOUNDARY = 'svc-boundary'

/** Fills the present live values into a plan. */
export function render(plan: Plan, world: World): Request {
  const path = spliced(plan, 'path', `/${items(plan.path).map(segment).join('/')}`)
  const csrfPath = path.split('?', 1)[0] ?? path
  const fill = (value: Tree | undefined) => world.resolve(textOf(value), csrfPath)
  const query = spliced(plan, 'query', pairs(plan.query, fill))
  const headers = items(plan.headers).map(pair => {
    const [name, value] = items(pair)
    return [fill(name), fill(value)] satisfies [string, string]
  })
  const body = bodyOf(plan, fill)
  const bytes = body === null ? null : Buffer.from(spliced(plan, 'body', body))
  return { route: plan.route, method: plan.method, path, query, headers, body: bytes }

  /** Secrets in a path would rightly be logged with it, so paths contain none. */
  function segment(value: Tree) {
    return encode(world.resolve(textOf(value), '/', 'no secrets'))
  }
}

function bodyOf({ text, parts, form, json }: Plan, fill: (value: Tree | undefined) => string) {
  if (text !== undefined) return fill(text)
  if (parts !== undefined) return multipart(items(parts), fill)
  if (form !== undefined) return pairs(form, fill)
  return json === undefined ? null : fill(JSON.stringify(json))
}

function multipart(parts: Tree[], fill: (value: Tree | undefined) => string): string {
  const rendered = parts.map(part => {
    const [name, content, fileName] = items(part)
    const file = fileName === undefined ? '' : `; filename="${fill(fileName)}"\r\nContent-Type: text/plain`
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${fill(name)}"${file}\r\n\r\n${fill(content)}\r\n`
  })
  return `${rendered.join('')}--${BOUNDARY}--\r\n`
}

function pairs(value: Tree | undefined, fill: (value: Tree | undefined) => string): string {
  return items(value)
    .map(pair => items(pair).map(fill).map(encode).join('='))
    .join('&')
}

/** encodeURIComponent for text that need not be well-formed. */
export const encode = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))

export const items = (value: Tree | undefined): Tree[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

const textOf = (value: Tree | undefined) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

function spliced({ splices = [] }: Plan, part: Splice['part'], text: string): string {
  for (const splice of splices) {
    if (splice.part === part) text = spliceText(text, splice)
  }
  return text
}

export function spliceText(text: string, { at, remove, insert }: Omit<Splice, 'part'>): string {
  const start = Math.floor((text.length * at) / 10_000)
  return text.slice(0, start) + insert + text.slice(start + remove)
}
