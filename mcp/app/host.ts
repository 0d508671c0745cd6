/** The parts of MCP Apps 2026-01-26 that the page uses, as messages between it and its host. */

const PROTOCOL_VERSION = '2026-01-26'

interface RpcMessage {
  jsonrpc: '2.0'
  id?: number | string
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { code?: number; message?: string }
}

export interface HostContext {
  theme?: 'light' | 'dark'
  styles?: { variables?: Record<string, string | undefined> }
}

interface Initialized {
  hostCapabilities?: { serverTools?: object }
  hostContext?: HostContext
}

export interface ToolResult {
  content?: { type: string; text?: string }[]
  structuredContent?: unknown
  isError?: boolean
}

interface HostEvents {
  onResult(result: ToolResult): void
  onContext(context: HostContext): void
}

/**
 * The host of this page: the window that embeds it. Messages of other windows are ignored. The official SDK
 * would add 300 kB to a page of 10.
 */
export class Host {
  readonly #pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  readonly #events: HostEvents
  #lastId = 0

  constructor(events: HostEvents) {
    this.#events = events
    window.addEventListener('message', ({ source, data }) => {
      if (source === window.parent && data?.jsonrpc === '2.0') this.#receive(data as RpcMessage)
    })
  }

  /** Introduces the page. Returns whether it may call tools of the server. */
  async connect(appInfo: { name: string; version: string }): Promise<boolean> {
    const params = { protocolVersion: PROTOCOL_VERSION, appInfo, appCapabilities: {} }
    const { hostCapabilities, hostContext } = (await this.#request('ui/initialize', params)) as Initialized
    if (hostContext) this.#events.onContext(hostContext)
    this.notify('ui/notifications/initialized', {})
    return hostCapabilities?.serverTools !== undefined
  }

  /** Calls a tool of the server. @throws Error if the host refuses */
  callTool(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    return this.#request('tools/call', { name, arguments: args }) as Promise<ToolResult>
  }

  notify(method: string, params: Record<string, unknown>): void {
    this.#send({ method, params })
  }

  #request(method: string, params: Record<string, unknown>): Promise<unknown> {
    const id = ++this.#lastId
    this.#send({ id, method, params })
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }))
  }

  #receive({ id, method, params = {}, result, error }: RpcMessage): void {
    if (method === undefined) this.#settle(id, result, error)
    else if (id !== undefined) this.#answer(id, method)
    else if (method === 'ui/notifications/tool-result') this.#events.onResult(params)
    else if (method === 'ui/notifications/host-context-changed') this.#events.onContext(params)
  }

  #settle(id: RpcMessage['id'], result: unknown, error: RpcMessage['error']): void {
    const pending = this.#pending.get(id as number)
    this.#pending.delete(id as number)
    if (error) pending?.reject(new Error(error.message ?? 'The host refused.'))
    else pending?.resolve(result)
  }

  /** Nothing needs to be saved before the page closes. */
  #answer(id: number | string, method: string): void {
    if (method === 'ping' || method === 'ui/resource-teardown') this.#send({ id, result: {} })
    else this.#send({ id, error: { code: -32601, message: 'Method not found' } })
  }

  /** To any origin: a sandboxed page cannot know its host's origin, and all data it sends comes from the host. */
  #send(message: Omit<RpcMessage, 'jsonrpc'>): void {
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  }
}
