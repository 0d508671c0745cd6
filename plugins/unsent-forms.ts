import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../platform/common/clock.js'
import { HOUR_MS } from '../platform/common/durations.js'
import { sealWith } from '../platform/common/seal.js'
import { random } from '../platform/common/secrets.js'
import { isSameOrigin } from './same-origin.js'

/** A page or a form that waits for its visitor to sign in. */
export interface UnsentForm {
  /** `POST`: shown again, filled in, for a confirming click. It is never sent automatically. */
  method: 'GET' | 'POST'
  path: string
  fields: [name: string, value: string][]
  /** A form with files: they must be chosen again on the page at `path`. */
  lostFiles: boolean
}

interface SealedForm extends UnsentForm {
  /** The account that has signed in with this browser before, or null. Nobody else sees the entered text. */
  accountId: string | null
  expiresAt: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The content of this request, to be shown again. Null if it cannot be continued: passwords, long
     * forms, forms of other sites.
     */
    ownForm(): UnsentForm | null
    /**
     * Seals this request, so that its sender can continue after signing in. The browser stores it, so it costs
     * no storage. Null if there is no `ownForm()`.
     */
    keepForm(): string | null
    /** Null unless it was sealed for this browser within the last hour, and not for another account. */
    openUnsentForm(text: string): UnsentForm | null
  }
}

/** Characters of the path and of all fields together. */
const MAX_LENGTH = 4000
/** Never stored. `current` and `next` are passwords as well. */
const SECRETS = new Set(['password', 'current', 'next', 'token', 'credential'])

export default fp(
  async function unsentFormsPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const forms = sealWith<SealedForm>(app.keyFor('kept-form'), random)

    app.decorateRequest('ownForm', function (this: FastifyRequest) {
      const form = formOf(this)
      if (!form) return null
      const length = form.fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
      return length + form.path.length > MAX_LENGTH ? null : form
    })

    app.decorateRequest('keepForm', function (this: FastifyRequest) {
      const form = this.ownForm()
      if (!form) return null
      const sealed = { ...form, accountId: this.knownAccountId, expiresAt: clock() + HOUR_MS }
      return forms.seal(sealed, this.browser)
    })

    app.decorateRequest('openUnsentForm', function (this: FastifyRequest, text: string) {
      const form = forms.open(text, this.browsers)
      if (!form || form.expiresAt <= clock()) return null
      const { method, path, fields, lostFiles, accountId } = form
      if (accountId !== null && this.account && this.account.id !== accountId) return null
      return { method, path, fields, lostFiles }
    })

    function formOf(request: FastifyRequest): UnsentForm | null {
      const { method, url: path, headers, body } = request
      if (method === 'GET') return { method, path, fields: [], lostFiles: false }
      // Another site must not be able to fill in a form for the visitor.
      const isOwn =
        isSameOrigin(headers, app.config.baseUrl) &&
        (headers.origin !== undefined || headers['sec-fetch-site'] === 'same-origin')
      if (method !== 'POST' || !isOwn) return null
      if (headers['content-type']?.startsWith('multipart/'))
        return { method: 'GET', path, fields: [], lostFiles: true }
      // A repeated field is an array.
      const fields = Object.entries((body ?? {}) as Record<string, string | string[]>)
        .filter(([name]) => name !== '_csrf')
        .flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each]))
      return fields.some(([name]) => SECRETS.has(name)) ? null : { method, path, fields, lostFiles: false }
    }
  },
  { name: 'unsent-forms', dependencies: ['session', 'service-key'] },
)
