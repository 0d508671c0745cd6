import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../platform/common/clock.js'
import { sealWith } from '../platform/common/seal.js'
import { random } from '../platform/common/secrets.js'

/** The result of a form. */
export interface FormResult {
  text: string
  /** The form to undo it. */
  undo?: { path: string; fields?: [name: string, value: string][] } | undefined
}

interface SealedResult extends FormResult {
  accountId: string
  expiresAt: number
}

declare module 'fastify' {
  interface FastifyReply {
    /** Shows the result of this form on the next page. */
    says(outcome: FormResult): void
    /** The result of the form before this page; it is shown once. */
    takeOutcome(): FormResult | null
  }
}

/** The next page is usually opened immediately, by the redirect. */
const SECONDS = 60
/** Names can be long, and a cookie has at most 4,096 bytes. */
const MAX_LENGTH = 300

/** Stores the result of a form until the page after its redirect, in a sealed cookie of the browser. */
export default fp(
  async function outcomePlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const seal = sealWith<SealedResult>(app.keyFor('outcome'), random)
    const secure = app.config.baseUrl.startsWith('https:')
    const name = `${secure ? '__Host-' : ''}${app.config.brand}_outcome`
    const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const

    app.decorateReply('says', function (this: FastifyReply, { text, undo }: FormResult) {
      const { account, browser } = this.request
      if (!account) return
      const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text
      const sealed = seal.seal(
        { text: short, undo, accountId: account.id, expiresAt: clock() + SECONDS * 1000 },
        browser,
      )
      this.setCookie(name, sealed, { ...cookie, maxAge: SECONDS })
    })

    app.decorateReply('takeOutcome', function (this: FastifyReply) {
      const { account, browsers, method, headers } = this.request
      if (!account || method !== 'GET' || this.statusCode !== 200) return null
      const text = app.parseCookie(headers.cookie ?? '')[name]
      if (text === undefined) return null
      this.setCookie(name, '', { ...cookie, maxAge: 0 })
      const outcome = seal.open(text, browsers)
      if (!outcome || outcome.accountId !== account.id || outcome.expiresAt <= clock()) return null
      return { text: outcome.text, undo: outcome.undo }
    })
  },
  { name: 'outcome', dependencies: ['session', 'service-key'] },
)
