import { quoted } from '../domain/safes/ask/one-line.js'
import type { StoredDocument } from '../domain/safes/documents/documents.js'
import { DomainError } from '../platform/common/domain-error.js'
import { type ActiveSafe, readableSafes, withActiveSafe } from './active-safe.js'
import type { Domain, RequestContext } from './context.js'
import { CODES, constant, type Result, RpcError } from './json-rpc.js'
import { namedSafe } from './named-safe.js'
import { readResourceUri, resourceUri, uriTemplate } from './resource-uri.js'
import { STATELESS } from './revisions/protocol-version.js'
import { documentEntry } from './tools/read-document.js'

/** Resources per page, and maximum Safes whose documents are listed. */
const PAGE = 100
const MAX_SAFES = 100
/** Maximum tokens of a text; the rest is read with the tool. */
const MAX_TOKENS = 20_000
/** "Resource not found" in revisions before 2026-07-28, which reserves the code (RULES N10). */
const RESOURCE_NOT_FOUND = -32002

type Params = Record<string, unknown> | undefined

/** Documents as MCP resources, so that a person can attach one (RULES R4). */
export class Resources {
  readonly templates: Result
  readonly #brand: string
  readonly #tool: string
  readonly #domain: Domain

  /** `tool` reads the rest of a text. */
  constructor(brand: string, tool: string, domain: Domain) {
    this.#brand = brand
    this.#tool = tool
    this.#domain = domain
    this.templates = templatesOf(brand)
  }

  /** The documents of every Safe of the connection, the newest of the active one first. @throws RpcError for a bad cursor */
  async list(params: Params, context: RequestContext): Promise<Result> {
    const { safes } = this.#domain
    const cursor = cursorIn(params)
    const all = await inOrder(context, safes)
    let at = cursor === null ? 0 : all.findIndex(({ id }) => id === cursor.safeId)
    if (at < 0) throw badCursor()
    let after = cursor?.after
    const resources: object[] = []
    for (; at < all.length; at++, after = undefined) {
      const { id: safeId, name } = all[at] ?? { id: '', name: '' }
      const room = PAGE - resources.length
      const found = await safes.documents.inOrder(context.access.accountId, safeId, 'time', {
        after: after && { path: after.path, value: after.time },
        limit: room + 1,
      })
      resources.push(...found.slice(0, room).map(document => this.#entry(safeId, name, document)))
      const last = found[room - 1]
      if (found.length > room && last) return { resources, nextCursor: sealed(safeId, last) }
    }
    return { resources }
  }

  /** The text of a document, up to the limit. @throws RpcError */
  async read(params: Params, context: RequestContext): Promise<Result> {
    const { safes, activity } = this.#domain
    const uri = params?.uri
    if (typeof uri !== 'string') throw new RpcError(CODES.invalidParams, '"uri" must be a string.')
    const wanted = readResourceUri(this.#brand, uri)
    if (!wanted) throw resourceNotFound(uri, context.revision)
    const { accountId } = context.access
    // Some clients change the case of the host of a URI.
    const { id: safeId } = await namedSafe(context, safes, wanted.safe).catch(error => {
      throw error instanceof DomainError ? resourceNotFound(uri, context.revision, error.message) : error
    })
    try {
      const document = await safes.documents.find(accountId, safeId, wanted.path)
      const request = { document: wanted.path, maxTokens: MAX_TOKENS }
      const page = await safes.reading.page(accountId, safeId, request)
      activity.record(documentEntry(context.access, request, page))
      const contents = [{ uri, mimeType: mimeOf(document.kind), text: page.text }]
      if (page.nextCursor === null) return { contents }
      const rest = `The document continues. Call ${this.#tool} with document ${JSON.stringify(wanted.path)}, safe "${safeId}", max_tokens ${MAX_TOKENS} and cursor "${page.nextCursor}".`
      return { contents: [...contents, { uri, mimeType: 'text/plain', text: rest }] }
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) throw resourceNotFound(uri, context.revision)
      throw error
    }
  }

  #entry(safeId: string, safeName: string, { path, title, kind, textBytes, time }: StoredDocument): object {
    return {
      uri: resourceUri(this.#brand, { safe: safeId, path }),
      name: path,
      title,
      description: `In the Safe ${quoted(safeName)}.`,
      mimeType: mimeOf(kind),
      ...(textBytes > 0 && { size: textBytes }),
      ...(time !== null && { annotations: { lastModified: new Date(time).toISOString() } }),
    }
  }
}

const templatesOf = (brand: string): Result =>
  constant({
    resourceTemplates: [
      {
        uriTemplate: uriTemplate(brand),
        name: 'document',
        title: 'A document of a Safe',
        description:
          'The text of a note, page, table or conversation, by the name or id of its Safe and its path.',
      },
    ],
  })

/** The same message for a missing and an unreadable document. `reason`: the available Safes. */
function resourceNotFound(uri: string, revision: string, reason?: string): RpcError {
  const message = reason === undefined ? 'Resource not found' : `Resource not found. ${reason}`
  return new RpcError(revision === STATELESS ? CODES.invalidParams : RESOURCE_NOT_FOUND, message, 200, {
    uri,
  })
}

const mimeOf = (kind: StoredDocument['kind']) =>
  kind.startsWith('markdown') ? 'text/markdown' : 'text/plain'

/** The Safes of the connection, the active one first. */
async function inOrder(context: RequestContext, safes: Domain['safes']): Promise<ActiveSafe[]> {
  const all = await readableSafes(context, safes, { limit: MAX_SAFES, patienceMs: 0 })
  const active = await withActiveSafe(context, safes, async id => all.find(safe => safe.id === id) ?? null)
  return active ? [active, ...all.filter(({ id }) => id !== active.id)] : all
}

interface Position {
  safeId: string
  after: { time: number | null; path: string }
}

const sealed = (safeId: string, { time, path }: StoredDocument): string =>
  Buffer.from(JSON.stringify([safeId, time, path])).toString('base64url')

function cursorIn(params: Params): Position | null {
  const cursor = params?.cursor
  if (cursor === undefined || cursor === null) return null
  try {
    const [safeId, time, path] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString())
    const isPosition =
      typeof safeId === 'string' && typeof path === 'string' && (time === null || Number.isFinite(time))
    if (isPosition && !path.includes('\0')) return { safeId, after: { time, path } }
  } catch {}
  throw badCursor()
}

const badCursor = () => new RpcError(CODES.invalidParams, 'This cursor is not valid. Begin without one.')
