import type { ChildProcess } from 'node:child_process'
import pLimit from 'p-limit'
import { startChild } from '../common/child.js'
import type { DocumentKind } from '../common/document-kind.js'
import type { Article, LinkTarget, ParsedDocument, PassagePlace } from './article.js'
import { KeptArticles } from './kept-articles.js'
import { parseText } from './plain.js'
import type { FromRenderer, ToRenderer } from './render-messages.js'

/** What is shown of a document, and how. */
interface Rendering {
  /** The id of its Safe. */
  safe: string
  /** The digest of the whole document. */
  hash: string
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
const LIMITS = { heapMb: 192, memoryMb: 288 }
/** How long the process may take for a document. A megabyte of honest text takes a fifth of a second. */
const TAKES_MS = 5_000
/** How long an idle process is kept: as long as somebody reads before opening the next document. A new one takes thrice as long. */
const IDLE_MS = 120_000
/** Documents that may wait. */
const MOST_WAITING = 20

/**
 * Renders documents. Anybody's text is parsed here, so a long one is left to a process of its own (`render-worker.ts`),
 * which is ended when it takes too long or too much memory. The document is then shown as plain text.
 */
export class Renderer {
  readonly #start: () => ChildProcess
  readonly #takesMs: number
  readonly #turn = pLimit(1)
  readonly #kept = new KeptArticles()
  #child: ChildProcess | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(start = () => startChild('render-worker', import.meta.url, LIMITS), takesMs = TAKES_MS) {
    this.#start = start
    this.#takesMs = takesMs
  }

  async render(rendering: Rendering): Promise<Article> {
    const { kind, text, resolve, passages, title } = rendering
    if (text.length > SHORT) {
      const article =
        (await this.#keptArticle(rendering)) ??
        (this.#turn.pendingCount < MOST_WAITING ? await this.#turn(() => this.#elsewhere(rendering)) : null)
      return article ?? parseText(text).render({ resolve: () => null, passages, title })
    }
    // The parsers of Markdown and YAML would take a part of every start.
    const { parseDocument } = await import('./document.js')
    const parsed = parseDocument(kind, text)
    const found = await resolvedIn(parsed, resolve)
    return parsed.render({ resolve: target => found.get(target) ?? null, passages, title })
  }

  /** Begins to start the process if a document will need it, while its text is still being read. */
  prepare({ safe, hash }: Pick<Rendering, 'safe' | 'hash'>, bytes: number): void {
    if (bytes <= LONG_BYTES || this.#kept.has(safe, hash) || this.#child !== null) return
    this.#running()
    this.#endLater()
  }

  /** Ends the process. */
  close(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = null
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
  async #elsewhere({ safe, hash, kind, text, resolve, passages, title }: Rendering): Promise<Article | null> {
    clearTimeout(this.#idle)
    const child = this.#running()
    try {
      const key = this.#kept.keyOf(safe, kind, text)
      const parsed = await this.#ask(child, { parse: { kind, text } })
      if (!parsed?.targets) return null
      const { targets, instead } = parsed
      this.#kept.keepTargets(key, { targets, instead })
      const found = await resolvedIn({ targets, instead }, resolve)
      const answer = await this.#ask(child, { render: { found: [...found], passages, title } })
      if (!answer?.article) return null
      this.#kept.keepArticle(this.#kept.shownKeyOf(key, { found, passages, title }), answer.article)
      this.#kept.add(safe, hash)
      return answer.article
    } finally {
      this.#endLater()
    }
  }

  #endLater(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.close(), IDLE_MS).unref()
  }

  #running(): ChildProcess {
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null) return this.#child
    const child = this.#start()
    child.unref()
    child.channel?.unref()
    this.#child = child
    return child
  }

  #ask(child: ChildProcess, message: ToRenderer): Promise<FromRenderer | null> {
    return new Promise(resolve => {
      const end = (answer: FromRenderer | null) => {
        clearTimeout(late)
        child.off('message', end).off('exit', ended).off('error', ended)
        child.channel?.unref()
        resolve(answer)
      }
      const ended = () => end(null)
      const late = setTimeout(() => {
        this.close()
        end(null)
      }, this.#takesMs)
      child.channel?.ref()
      child.on('message', end).on('exit', ended).on('error', ended)
      if (child.exitCode !== null || child.signalCode !== null) ended()
      else child.send(message, error => error && ended())
    })
  }
}

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
