import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserName } from '../../accounts/browser-name.js'
import type { ListedSession } from '../../accounts/login-session.js'
import { hostOf } from '../../accounts/openid/provider-sign-in.js'
import { DomainError } from '../../common/domain-error.js'
import { showTime } from '../../common/format.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
import { TextField } from './forms.js'
import { type Removal, removalOf } from './removal.js'
import { accountOf } from './signed-in.js'

declare module '../../plugins/views.js' {
  interface Pages {
    account: AccountPageView
    'account-delete': DeleteAccountPage
  }
}

interface AccountPageView extends Page {
  /** The password has just been changed. */
  changed: boolean
  sessions: SessionRow[]
  hasPassword: boolean
  /** Hosts and issuers of the OpenID providers at which the account signs in. */
  providers: { name: string; issuer: string }[]
  /** There is another session to end. */
  hasOthers: boolean
}

interface SessionRow {
  browser: string
  isCurrent: boolean
  facts: string
  /** The action of its button. */
  end: string
}

interface DeleteAccountPage extends Page {
  isLastAdmin: boolean
  /** Asked for to confirm. */
  hasPassword: boolean
  removal: Removal
}

const AccountQuery = Type.Object({ changed: Type.Optional(Type.Literal('yes')) })
const PasswordForm = Type.Object({ current: Type.String(), next: Type.String() })
/** Without a password, a recent sign-in confirms. */
const DeleteForm = Type.Object({ password: Type.Optional(Type.String()) })
const UnlinkForm = Type.Object({ issuer: TextField() })
const SessionParams = Type.Object({ sessionId: Type.String({ pattern: '^[\\w-]{43}$' }) })

/** The signed-in user's account. */
export default async function accountPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/account', { schema: { querystring: AccountQuery } }, async (request, reply) =>
    show(request, reply, { changed: request.query.changed === 'yes' }),
  )

  app.post('/account/password', { schema: { body: PasswordForm } }, async (request, reply) => {
    const account = accountOf(request)
    const { current, next } = request.body
    try {
      if (!(await app.accounts.changePassword(account.id, current, next, request.ip))) {
        throw new DomainError(400, 'wrong_password', messages.account.wrong)
      }
    } catch (error) {
      return show(request, reply, { error: refusal(error, reply) })
    }
    await reply.signIn(account)
    return reply.redirect('/account?changed=yes', 303)
  })

  app.post(
    '/account/sessions/:sessionId/end',
    { schema: { params: SessionParams } },
    async (request, reply) => {
      await app.loginSessions.endListed(accountOf(request).id, request.params.sessionId)
      return reply.redirect('/account', 303)
    },
  )

  app.post('/account/sessions/end-others', async (request, reply) => {
    const account = accountOf(request)
    await app.accounts.endSessions(account.id)
    await reply.signIn(account)
    return reply.redirect('/account', 303)
  })

  app.post('/account/sign-out-everywhere', async (request, reply) => {
    await app.accounts.endSessions(accountOf(request).id)
    await reply.signOut()
    return reply.redirect('/login', 303)
  })

  app.get('/account/delete', async (request, reply) => showDeletion(request, reply))

  app.post('/account/delete', { schema: { body: DeleteForm } }, async (request, reply) => {
    try {
      const { id } = accountOf(request)
      await confirm(request, request.body.password)
      await app.accounts.remove(id)
    } catch (error) {
      return showDeletion(request, reply, refusal(error, reply))
    }
    await reply.signOut()
    return reply.redirect('/login', 303)
  })

  const { providerSignIn } = app
  if (providerSignIn)
    app.post('/account/providers/remove', { schema: { body: UnlinkForm } }, async (request, reply) => {
      try {
        await providerSignIn.unlink(accountOf(request).id, request.body.issuer)
      } catch (error) {
        return show(request, reply, { error: refusal(error, reply) })
      }
      return reply.redirect('/account', 303)
    })

  /**
   * Checks that it is the owner of the account who sits at the browser.
   * @throws DomainError 400 for a wrong password, 403 if an account without one has not signed in recently, 429
   */
  async function confirm(request: FastifyRequest, password = '') {
    const { id } = accountOf(request)
    if (await app.accounts.hasPassword(id)) {
      if (await app.accounts.confirmPassword(id, password, request.ip)) return
      throw new DomainError(400, 'wrong_password', messages.account.wrong)
    }
    if (!(await app.loginSessions.isRecent(request.loginSecret)))
      throw new DomainError(403, 'sign_in_again', messages.account.signInAgain)
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { changed?: boolean; error?: string } = {},
  ) {
    const { id } = accountOf(request)
    const sessions = await app.loginSessions.listFor(id, request.loginSecret)
    const issuers = (await providerSignIn?.issuersOf(id)) ?? []
    return reply.page('account', {
      here: 'account',
      changed: shown.changed ?? false,
      hasPassword: await app.accounts.hasPassword(id),
      providers: issuers.map(issuer => ({ name: hostOf(issuer), issuer })),
      sessions: sessions.map(sessionRow),
      hasOthers: sessions.some(({ isCurrent }) => !isCurrent),
      error: shown.error,
    })
  }

  async function showDeletion(request: FastifyRequest, reply: FastifyReply, error?: string) {
    const { id } = accountOf(request)
    const isLastAdmin = await app.accounts.isLastAdmin(id)
    return reply.page('account-delete', {
      here: 'account',
      isLastAdmin,
      hasPassword: await app.accounts.hasPassword(id),
      removal: await removalOf(app, id),
      error: isLastAdmin ? undefined : error,
    })
  }
}

/** The message of an error of the user. Sets the status of the reply. */
function refusal(error: unknown, reply: FastifyReply): string {
  if (!(error instanceof DomainError)) throw error
  if (error.retryAfter) reply.header('Retry-After', error.retryAfter)
  reply.code(error.status)
  return error.message
}

function sessionRow({ id, userAgent, address, createdAt, lastSeenAt, isCurrent }: ListedSession): SessionRow {
  const m = messages.account
  const facts = [address, m.signedInAt(showTime(createdAt)), m.lastSeen(showTime(lastSeenAt))]
  return {
    browser: browserName(userAgent) ?? m.unknownBrowser,
    isCurrent,
    facts: facts.filter(Boolean).join(' · '),
    end: `/account/sessions/${id}/end`,
  }
}
