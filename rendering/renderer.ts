import type { ChildProcess } from 'node:child_process'
import pLimit from 'p-limit'
import { startChild } from '../common/child.js'
import type { DocumentKind } from '../common/document-kind.js'
import type { Article, LinkTarget, ParsedDocument, PassagePlace } from './article.js'
import { parseText } from './plain.js'
import type { FromRenderer, ToRenderer } from './render-messages.js'

/** What is shown of a document, and how. */
interface Rendering {
  kind: DocumentKind
  text: string
  /** Where links lead, of those that lead anywhere. */
  resolve(targets: readonly string[]): Promise<ReadonlyMap<string, LinkTarget>>
  passages: readonly PassagePlace[]
  title: string
}

/** Characters that are rendered in this process: whatever they are, that takes milliseconds. */
const SHORT = 8_000
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
        this.#turn.pendingCount < MOST_WAITING ? await this.#turn(() => this.#elsewhere(rendering)) : null
      return article ?? parseText(text).render({ resolve: () => null, passages, title })
    }
    // The parsers of Markdown and YAML would take a part of every start.
    const { parseDocument } = await import('./document.js')
    const parsed = parseDocument(kind, text)
    const found = await resolvedIn(parsed, resolve)
    return parsed.render({ resolve: target => found.get(target) ?? null, passages, title })
  }

  /** Ends the process. */
  close(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = null
  }

  /** Null when the process took too long or died. */
  async #elsewhere({ kind, text, resolve, passages, title }: Rendering): Promise<Article | null> {
    clearTimeout(this.#idle)
    const child = this.#running()
    try {
      const { targets = [], instead } = (await this.#ask(child, { parse: { kind, text } })) ?? {}
      const found = [...(await resolvedIn({ targets, instead }, resolve))]
      const answer = await this.#ask(child, { render: { found, passages, title } })
      return answer?.article ?? null
    } finally {
      this.#idle = setTimeout(() => this.close(), IDLE_MS).unref()
    }
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
