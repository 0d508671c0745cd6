import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserName } from '../../accounts/browser-name.js'
import type { ListedSession } from '../../accounts/login-session.js'
import { DomainError } from '../../common/domain-error.js'
import { showTime } from '../../common/format.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
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
  /** Null where no mail is sent. `saved`: the choice has just been made. */
  notifications: { isOn: boolean; saved: boolean } | null
  sessions: SessionRow[]
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
  removal: Removal
}

const AccountQuery = Type.Object({
  changed: Type.Optional(Type.Literal('yes')),
  saved: Type.Optional(Type.Literal('notifications')),
})
/** A box that is not ticked is not sent. */
const NotificationsForm = Type.Object({ mail: Type.Optional(Type.Literal('on')) })
const PasswordForm = Type.Object({ current: Type.String(), next: Type.String() })
const DeleteForm = Type.Object({ password: Type.String() })
const SessionParams = Type.Object({ sessionId: Type.String({ pattern: '^[\\w-]{43}$' }) })

/** The signed-in user's account. */
export default async function accountPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/account', { schema: { querystring: AccountQuery } }, async (request, reply) =>
    show(request, reply, {
      changed: request.query.changed === 'yes',
      saved: request.query.saved === 'notifications',
    }),
  )

  if (app.mail)
    app.post('/account/notifications', { schema: { body: NotificationsForm } }, async (request, reply) => {
      await app.accounts.setWantsMail(accountOf(request).id, request.body.mail === 'on')
      return reply.redirect('/account?saved=notifications#notifications', 303)
    })

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
      if (!(await app.accounts.removeOwn(accountOf(request).id, request.body.password, request.ip))) {
        throw new DomainError(400, 'wrong_password', messages.account.wrong)
      }
    } catch (error) {
      return showDeletion(request, reply, refusal(error, reply))
    }
    await reply.signOut()
    return reply.redirect('/login', 303)
  })

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { changed?: boolean; saved?: boolean; error?: string } = {},
  ) {
    const { id } = accountOf(request)
    const sessions = await app.loginSessions.listFor(id, request.loginSecret)
    const saved = shown.saved ?? false
    return reply.page('account', {
      here: 'account',
      changed: shown.changed ?? false,
      notifications: app.mail && { isOn: await app.accounts.wantsMail(id), saved },
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
