import type { FastifyInstance, InjectOptions } from 'fastify'
import { hashSecret, mac } from '../../../platform/common/secrets.js'

export const PASSWORD = 'correct horse battery'

export type Response = Awaited<ReturnType<Browser['get']>>

/** An array is a field with several values. */
export type FormFields = Record<string, string | string[]>

const pairsOf = (fields: FormFields) =>
  Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )

/** The part of a browser that forms need: it keeps cookies and sends the fields of a page's form. */
export class Browser {
  readonly app: FastifyInstance
  readonly cookies = new Map<string, string>()

  constructor(app: FastifyInstance) {
    this.app = app
  }

  async send(options: InjectOptions) {
    const headers = { accept: 'text/html', ...options.headers }
    const response = await this.app.inject({
      ...options,
      headers,
      cookies: Object.fromEntries(this.cookies),
    })
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  get(url: string) {
    return this.send({ url })
  }

  /** Posts fields as they are. */
  post(url: string, fields: FormFields, headers: Record<string, string> = {}) {
    return this.send({
      method: 'POST',
      url,
      payload: new URLSearchParams(pairsOf(fields)).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  }

  /** Opens a page, fills in its form that posts to `action` and sends it. */
  async submit(page: string, action: string, fields: FormFields = {}) {
    const { body } = await this.get(page)
    return this.post(action, { ...hiddenFields(body, action), ...fields })
  }

  /**
   * The token of a form that is on no page. `scope`: the address the form posts to, or `consent:` and the id of a
   * request.
   */
  tokenFor(scope: string): string {
    const [browser, session] = ['browser', 'session'].map(what =>
      hashSecret([...this.cookies].find(([name]) => name.startsWith(`__Host-svc_${what}`))?.[1] ?? ''),
    )
    return mac(this.app.keyFor('csrf'), JSON.stringify([browser, session, scope])).toString('base64url')
  }

  /** Signs in with a new account. */
  async signIn(email: string) {
    if (!(await this.app.accounts.findByEmail(email))) await this.app.accounts.add(email, PASSWORD)
    return this.submit('/login', '/login', { email, password: PASSWORD })
  }
}

/** The hidden fields of the form that posts to `action`. */
export function hiddenFields(page: string, action: string): Record<string, string> {
  const form = [...page.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(
    ([, to]) => to === action,
  )
  const fields = [...(form?.[2] ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}
