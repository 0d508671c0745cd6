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
import { KeptArticles } from './kept-articles.js'
import { type Rendering as RenderWork, renderProcesses, tookTooLong } from './render-process.js'

type Start = Parameters<typeof renderProcesses>[0]

interface Named {
  /** The id of the document's Safe. */
  safe: string
  /** The digest of the whole document. */
  hash: string
}

/** What is shown of a document, and how. */
interface Rendering extends Named {
  /** Who reads it. */
  accountId: string
  kind: DocumentKind
  text: string
  /** Where links lead, of those that lead anywhere. */
  resolve(targets: readonly string[]): Promise<ReadonlyMap<string, LinkTarget>>
  passages: readonly PassagePlace[]
  title: string
}

/** Characters that are rendered in this process: whatever they are, that takes milliseconds. */
const SHORT = 8_000
/** Bytes of a text that is surely longer. */
const LONG_BYTES = 4 * SHORT
/** Bytes of a document that is worth being rendered before it is opened. */
const LARGE_BYTES = 100_000
/** How long a document that took too long is shown as plain text at once. */
const SLOW_FOR_MS = 600_000
/** Documents of a reader that may wait while another one is rendered. */
const MAX_WAITING = 2
/** How long a document waits before it is shown as plain text. */
const MAX_WAIT_MS = 2_000

/**
 * Renders documents. Anybody's text is parsed here, so a long one is left to a process of its own (`render-worker.ts`),
 * which is ended when it takes too long or too much memory. The document is then shown as plain text. Readers take turns.
 */
export class Renderer {
  readonly #pool: ReturnType<typeof renderProcesses>
  readonly #turns = new AccountTurns(() => false)
  readonly #waitsMs: number
  #active = 0
  readonly #kept = new KeptArticles()
  /** Texts that took too long. */
  readonly #slow = new LRUCache<string, true>({ max: 1_000, ttl: SLOW_FOR_MS })
  /** Documents that were rendered ahead, or could not be. */
  readonly #tried = new LRUCache<string, true>({ max: 1_000 })
  /** The document that is being rendered although nobody has opened it. */
  #ahead: string | null = null

  constructor(start?: Start, takesMs?: number, waitsMs = MAX_WAIT_MS) {
    this.#waitsMs = waitsMs
    this.#pool = renderProcesses(start, takesMs)
  }

  async render(rendering: Rendering): Promise<Article> {
    const { kind, text, resolve, passages, title } = rendering
    if (text.length > SHORT) {
      const article = (await this.#keptArticle(rendering)) ?? (await this.#inTurn(rendering))
      return article ?? { ...parseText(text).render({ resolve: () => null, passages, title }), isPlain: true }
    }
    // The parsers of Markdown and YAML would take a part of every start.
    const { parseDocument } = await loadDocumentParser()
    const parsed = parseDocument(kind, text)
    const found = await resolvedIn(parsed, resolve)
    return parsed.render({ resolve: target => found.get(target) ?? null, passages, title })
  }

  /** Begins to start the process if a document will need it, while its text is still being read. */
  prepare(document: Named, bytes: number): void {
    if (bytes <= LONG_BYTES || this.#kept.has(document.safe, document.hash)) return
    this.#goFirst(document)
    this.#pool.warm()
  }

  /**
   * Renders a document that somebody may open next, if it is large, once: unless others are being rendered, and only until
   * another one is opened.
   */
  async ahead(document: Named, bytes: number, read: () => Promise<Rendering>): Promise<void> {
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

  /** Gives up what is rendered ahead, unless it is this document: nobody waits for what they have not opened. */
  #goFirst(document: Named): void {
    if (this.#ahead === null || this.#ahead === nameOf(document)) return
    this.#tried.delete(this.#ahead)
    void this.close()
  }

  /** As it was rendered while it waited for its turn, otherwise now. Null if its turn did not come or it took too long. */
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

  /** As it was rendered before, if its links still lead to the same. */
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
        if (tookTooLong(error)) this.#slow.set(key, true)
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

const nameOf = ({ safe, hash }: Named) => `${safe} ${hash}`

/** Where links lead. What they mean instead is only looked up for those that lead nowhere. */
async function resolvedIn(
  { targets, instead = [] }: Pick<ParsedDocument, 'targets' | 'instead'>,
  resolve: Rendering['resolve'],
): Promise<ReadonlyMap<string, LinkTarget>> {
  const found = targets.length > 0 ? await resolve(targets) : NOTHING
  const others = new Set(instead.flatMap(([target, other]) => (found.has(target) ? [] : [other])))
  return others.size === 0 ? found : new Map([...(await resolve([...others])), ...found])
}

const NOTHING: ReadonlyMap<string, LinkTarget> = new Map()
