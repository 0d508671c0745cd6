import { hiddenFields } from '../../test/integration/pages/browser.js'

export interface Visit {
  status: number
  location: string | null
  body: string
}

/** As much of a browser as attacks need, over real sockets: it keeps cookies and sends back what a form holds. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #url: string
  readonly #headers: Record<string, string>

  /** `address`: where its requests come from, for a service that trusts `X-Forwarded-For` from loopback. */
  constructor(url: string, address?: string) {
    this.#url = url
    this.#headers = address ? { 'x-forwarded-for': address } : {}
  }

  async send(path: string, init: RequestInit = {}): Promise<Visit> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...this.#headers, ...(cookie && { cookie }), ...init.headers }
    const response = await fetch(new URL(path, this.#url), { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line) || value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return {
      status: response.status,
      location: response.headers.get('location'),
      body: await response.text(),
    }
  }

  /** Opens a page, fills in its form that posts to `action` and sends it. A page that does not open has none. */
  async submit(page: string, action: string, fields: Record<string, string>, ms = 5000): Promise<Visit> {
    const opened = await this.send(page, { signal: AbortSignal.timeout(ms) })
    if (opened.status !== 200) return opened
    const form = new URLSearchParams({ ...hiddenFields(opened.body, action), ...fields })
    return this.send(action, { method: 'POST', body: form, signal: AbortSignal.timeout(ms) })
  }

  signIn(email: string, password: string, ms?: number): Promise<Visit> {
    return this.submit('/login', '/login', { email, password }, ms)
  }

  /** Uploads a file into a Safe; its import is staged. */
  async upload(safeId: string, name: string, content: string | Uint8Array<ArrayBuffer>): Promise<Visit> {
    const action = `/safes/${safeId}/import`
    const { body } = await this.send(action)
    const form = new FormData()
    for (const [field, value] of Object.entries(hiddenFields(body, action))) form.set(field, value)
    form.set('file', new Blob([content]), name)
    return this.send(action, { method: 'POST', body: form })
  }

  /** Forgets the login session and nothing else. */
  async signOut(): Promise<void> {
    for (const name of this.cookies.keys()) if (name.endsWith('_session')) this.cookies.delete(name)
  }
}
