import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Article, LinkTarget, ParsedDocument, PassagePlace } from '../../../engine/rendering/index.js'
import type { DocumentKind } from '../../../platform/common/document-kind.js'

/** Everything besides the document itself that affects how it is shown. */
interface ArticleInputs {
  found: ReadonlyMap<string, LinkTarget>
  passages: readonly PassagePlace[]
  title: string
}

type Targets = Pick<ParsedDocument, 'targets'>

/** Maximum bytes of the cache, and of one document. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_SIZE = 4 * 1024 * 1024

/**
 * Long documents as last rendered, by a digest of everything they depend on, so that no outdated rendering is
 * shown. Stored as bytes, outside of the heap.
 */
export class KeptArticles {
  readonly #kept = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_SIZE,
    sizeCalculation: ({ length }) => length + 1,
  })

  /** Documents cached recently, even if they have been dropped since. */
  readonly #known = new LRUCache<string, true>({ max: 1_000 })

  /** Whether the document with this digest is probably cached. */
  has(safe: string, hash: string): boolean {
    return this.#known.has(`${safe} ${hash}`)
  }

  add(safe: string, hash: string): void {
    this.#known.set(`${safe} ${hash}`, true)
  }

  /** The key of a document. `safe`: so that response times do not reveal whether others have the same document. */
  keyOf(safe: string, kind: DocumentKind, text: string): string {
    return createHash('sha256').update(`${safe}\0${kind}\0`).update(text).digest('base64')
  }

  /** The key of a document with the targets of its links. */
  shownKeyOf(key: string, { found, passages, title }: ArticleInputs): string {
    const rest = JSON.stringify([key, title, passages, [...found]])
    return createHash('sha256').update(rest).digest('base64')
  }

  targets(key: string): Targets | null {
    return this.#read(key)
  }

  keepTargets(key: string, { targets }: Targets): void {
    this.#kept.set(key, Buffer.from(JSON.stringify({ targets })))
  }

  article(key: string): Article | null {
    const rest = this.#read<Omit<Article, 'html'>>(key)
    const html = this.#kept.get(`${key} html`)
    return rest && html ? { html: html.toString(), ...rest } : null
  }

  keepArticle(key: string, { html, ...rest }: Article): void {
    this.#kept.set(key, Buffer.from(JSON.stringify(rest)))
    this.#kept.set(`${key} html`, Buffer.from(html))
  }

  #read<Kept>(key: string): Kept | null {
    const bytes = this.#kept.get(key)
    return bytes === undefined ? null : JSON.parse(bytes.toString())
  }
}
