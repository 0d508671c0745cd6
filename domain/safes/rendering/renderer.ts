import { LRUCache } from 'lru-cache'
import {
  type Article,
  type LinkTarget,
  loadDocumentParser,
  type ParsedDocument,
  type PassagePlace,
  parseText,
} from '../../../engine/rendering/index.js'
import type { DocumentKind } from '../../../platform/common/document-kind.js'
import { AccountTurns } from '../../../platform/limits/account-turns.js'
import { startChild } from '../../../platform/processes/child.js'
import { Lost, Pool } from '../../../platform/processes/pool.js'
import { WorkTurns } from '../ask/work-turns.js'
import { KeptArticles } from './kept-articles.js'

/** A document to read, then the targets of its links; the process returns the links first, then the document as HTML. */
export interface RenderWork {
  job: { kind: DocumentKind; text: string }
  piece: Pick<ParsedDocument, 'targets'>
  next: { found: (readonly [string, LinkTarget])[]; passages: readonly PassagePlace[]; title: string }
  result: Article
}

const LIMITS = { heapMb: 192, memoryMb: 288 }
const startRendering = () => startChild('render-worker', import.meta.url, LIMITS)
/** Maximum time for a document. A megabyte of ordinary text takes a fifth of a second. */
const TAKES_MS = 5_000
/** How long an idle process is kept: the time people read before they open the next document. A new process takes three times as long. */
const IDLE_MS = 120_000

interface ArticleKey {
  /** The id of the document's Safe. */
  safe: string
  /** The digest of the whole document. */
  hash: string
}

/** A document to show, and how to show it. */
interface Rendering extends ArticleKey {
  /** The reader. */
  accountId: string
  kind: DocumentKind
  text: string
  /** The targets of links, for those that have one. */
  resolve(targets: readonly string[]): Promise<ReadonlyMap<string, LinkTarget>>
  passages: readonly PassagePlace[]
  title: string
}

/** Maximum characters rendered in this process: any text of this size takes milliseconds, unless it has formulas. */
const SHORT = 8_000
/** Minimum bytes of a text that is certainly longer. */
const LONG_BYTES = 4 * SHORT
/** Minimum bytes of a document that is rendered ahead. */
const LARGE_BYTES = 100_000
/** How long a document that took too long is shown as plain text right away. */
const SLOW_FOR_MS = 600_000
/** Maximum documents of a reader that wait while another one is rendered. */
const MAX_WAITING = 2
/** Maximum wait before a document is shown as plain text. */
const MAX_WAIT_MS = 2_000

/**
 * Renders documents. Their texts are untrusted, so long ones are rendered in a separate process (`render-worker.ts`),
 * which is killed if it takes too long or too much memory. The document is then shown as plain text. Readers take turns.
 */
export class Renderer {
  readonly #pool: Pool<RenderWork>
  readonly #turns = new AccountTurns(() => false)
  /** For plain text, which is rendered on this thread. */
  readonly #plainTurns = new WorkTurns()
  readonly #waitsMs: number
  #active = 0
  readonly #kept = new KeptArticles()
  /** Texts that took too long. */
  readonly #slow = new LRUCache<string, true>({ max: 1_000, ttl: SLOW_FOR_MS })
  /** Documents that were rendered ahead, or failed. */
  readonly #tried = new LRUCache<string, true>({ max: 1_000 })
  /** The document being rendered ahead. */
  #ahead: string | null = null

  constructor(start = startRendering, answerMs = TAKES_MS, waitsMs = MAX_WAIT_MS) {
    this.#waitsMs = waitsMs
    this.#pool = new Pool({ start, answerMs, idleMs: IDLE_MS })
  }

  async render(rendering: Rendering): Promise<Article> {
    const { accountId, kind, text, resolve, passages, title } = rendering
    const inProcess = async () => (await this.#keptArticle(rendering)) ?? (await this.#inTurn(rendering))
    const asPlain = () => parseText(text).render({ resolve: () => null, passages, title })
    if (text.length > SHORT)
      return (await inProcess()) ?? { ...(await this.#plainTurns.run(accountId, asPlain)), isPlain: true }
    // Loading the parsers of Markdown and YAML would slow down every start.
    const { parseDocument } = await loadDocumentParser()
    const parsed = parseDocument(kind, text)
    const article = parsed.hasFormulas ? await inProcess() : null
    if (article) return article
    const found = await resolvedIn(parsed, resolve)
    return parsed.render({ resolve: target => found.get(target) ?? null, passages, title })
  }

  /** Starts the process if a document will need it, while its text is still being read. */
  prepare(document: ArticleKey, bytes: number): void {
    if (bytes <= LONG_BYTES || this.#kept.has(document.safe, document.hash)) return
    this.#goFirst(document)
    this.#pool.warm()
  }

  /**
   * Renders a large document ahead that somebody may open next, once: unless others are being rendered, and only until
   * another one is opened.
   */
  async ahead(document: ArticleKey, bytes: number, read: () => Promise<Rendering>): Promise<void> {
    const name = nameOf(document)
    if (bytes <= LONG_BYTES || this.#ahead !== null || this.#active > 0) return
    if (this.#tried.has(name) || this.#kept.has(document.safe, document.hash)) return
    this.#pool.warm()
    if (bytes < LARGE_BYTES) return
    this.#tried.set(name, true)
    this.#ahead = name
    try {
      const rendering = await read()
      await this.#during(rendering, async () => (this.#ahead === name ? this.#elsewhere(rendering) : null))
    } catch {
      // Opening it shows the error.
    } finally {
      if (this.#ahead === name) this.#ahead = null
    }
  }

  /** Ends the process. */
  close(): Promise<void> {
    this.#ahead = null
    return this.#pool.end()
  }

  /** Cancels rendering ahead, unless it is this document: opened documents come first. */
  #goFirst(document: ArticleKey): void {
    if (this.#ahead === null || this.#ahead === nameOf(document)) return
    this.#tried.delete(this.#ahead)
    void this.close()
  }

  /** The rendering from the cache after waiting for its turn, otherwise a new one. Null if its turn did not come or it took too long. */
  async #inTurn(rendering: Rendering): Promise<Article | null> {
    const { safe, hash, kind, text } = rendering
    if (this.#slow.has(this.#kept.keyOf(safe, kind, text))) return null
    this.#goFirst(rendering)
    return this.#during(rendering, async () => {
      const kept = this.#kept.has(safe, hash) ? await this.#keptArticle(rendering) : null
      return kept ?? this.#elsewhere(rendering)
    })
  }

  async #during<T>({ accountId }: Rendering, work: () => Promise<T>): Promise<T | null> {
    if (this.#turns.waitingOf(accountId) >= MAX_WAITING) return null
    const end = await this.#turns.take(accountId, AbortSignal.timeout(this.#waitsMs)).catch(() => null)
    if (!end) return null
    this.#active++
    try {
      return await work()
    } finally {
      this.#active--
      end()
    }
  }

  /** The cached rendering, if its links still have the same targets. */
  async #keptArticle({ safe, kind, text, resolve, passages, title }: Rendering): Promise<Article | null> {
    const key = this.#kept.keyOf(safe, kind, text)
    const parsed = this.#kept.targets(key)
    if (!parsed) return null
    const found = await resolvedIn(parsed, resolve)
    return this.#kept.article(this.#kept.shownKeyOf(key, { found, passages, title }))
  }

  /** Null when the process took too long or died. */
  async #elsewhere(rendering: Rendering): Promise<Article | null> {
    const { safe, hash, kind, text, resolve, passages, title } = rendering
    const key = this.#kept.keyOf(safe, kind, text)
    const work = this.#pool.run({ kind, text })
    const goOn = (...next: [] | [RenderWork['next']]) =>
      work.next(...next).catch(error => {
        if (error instanceof Lost && error.how === 'silent') this.#slow.set(key, true)
        return null
      })
    try {
      const parsed = await goOn()
      if (!parsed || parsed.done) return null
      this.#kept.keepTargets(key, parsed.value)
      const found = await resolvedIn(parsed.value, resolve)
      const article = await goOn({ found: [...found], passages, title })
      if (!article?.done) return null
      this.#kept.keepArticle(this.#kept.shownKeyOf(key, { found, passages, title }), article.value)
      this.#kept.add(safe, hash)
      return article.value
    } finally {
      await work.return(undefined as never)
    }
  }
}

const nameOf = ({ safe, hash }: ArticleKey) => `${safe} ${hash}`

/** The targets of links. */
const resolvedIn = async ({ targets }: Pick<ParsedDocument, 'targets'>, resolve: Rendering['resolve']) =>
  targets.length > 0 ? resolve(targets) : new Map<string, LinkTarget>()
