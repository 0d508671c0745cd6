import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../plugins/views.js'
import { accountTexts } from '../views/texts/account.js'
import { SealedText } from './pages/sealed-text.js'

export interface LoginPage extends Page {
  email?: string
  /** The authorization request that waits for the sign-in. */
  request: string | undefined
  /** The page or form that waits for it. */
  form: string | undefined
  /** The result of the form. */
  notice: string | null
  hasPasskeys: boolean
  /** The button that leads to the OpenID provider, or null. */
  provider: string | null
}

/** The sealed authorization request, page or form that waits for the sign-in. With both, the form has the boxes ticked for the request. */
export const NextFields = { request: Type.Optional(SealedText), form: Type.Optional(SealedText) }

type Next = Partial<Record<keyof typeof NextFields, string | undefined>>

/** The target of the button. */
export function nextPage(request: FastifyRequest, next: Next): string {
  if (next.request) return `/oauth/consent/${next.request}${next.form ? `?form=${next.form}` : ''}`
  const form = next.form ? request.openUnsentForm(next.form) : null
  if (!form) return '/'
  return form.method === 'GET' ? form.path : `/continue?form=${next.form}`
}

/**
 * The content of the sign-in page, with the reason for it: a session that ended, files that have to be chosen
 * again.
 */
export function loginPage(request: FastifyRequest, next: Next): LoginPage {
  const { sessionEnded, filesLost } = accountTexts.login
  const form = next.form ? request.openUnsentForm(next.form) : null
  const notice = form?.lostFiles ? filesLost : form?.method === 'POST' ? sessionEnded : null
  const provider = request.server.providerSignIn
  return {
    request: next.request,
    form: next.form,
    notice,
    hasPasskeys: request.server.passkeys !== null,
    provider: provider && accountTexts.login.provider(provider.name),
  }
}

/** Shows the sign-in page again, with the reason for a refused sign-in. */
export async function showRefused(
  request: FastifyRequest<{ Body: Next }>,
  _subject: unknown,
  reply: FastifyReply,
  shown: { email?: string; error?: string },
) {
  return reply.page<LoginPage>('login', { ...loginPage(request, request.body), ...shown })
}
