import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../platform/common/clock.js'
import { sealWith } from '../platform/common/seal.js'
import { random } from '../platform/common/secrets.js'

/** What a form has done. */
export interface Outcome {
  text: string
  /** The form that undoes it. */
  undo?: { path: string; fields?: [name: string, value: string][] } | undefined
}

interface Sealed extends Outcome {
  accountId: string
  expiresAt: number
}

declare module 'fastify' {
  interface FastifyReply {
    /** Says on the next page that is shown what this form has done. */
    says(outcome: Outcome): void
    /** What the form before this page has done; it is said once. */
    takeOutcome(): Outcome | null
  }
}

/** The next page is usually opened at once, by the redirect. */
const SECONDS = 60
/** Names can be long, and a cookie has at most 4,096 bytes. */
const MAX_LENGTH = 300

/** Keeps what a form has done until the page after its redirect, in a sealed cookie of the browser. */
export default fp(
  async function outcomePlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const seal = sealWith<Sealed>(app.keyFor('outcome'), random)
    const secure = app.config.baseUrl.startsWith('https:')
    const name = `${secure ? '__Host-' : ''}${app.config.brand}_outcome`
    const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const

    app.decorateReply('says', function (this: FastifyReply, { text, undo }: Outcome) {
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
