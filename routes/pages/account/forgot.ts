import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formPage } from '../form-page.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'

interface ForgotContent {
  email?: string
  error?: string
}

const Show = { querystring: Type.Object({ sent: Type.Optional(Type.Literal('yes')) }) }
const Send = { body: Type.Object({ email: TextField() }) }

/** Sends a link to reset a password, or explains how to get one without a mail server. */
export default async function forgotPages(app: TypedApp) {
  app.get('/forgot', { schema: Show }, (request, reply) =>
    reply.page('forgot', { isSent: request.query.sent === 'yes', hasMail: app.mail !== null }),
  )
  if (!app.mail) return
  app.post(
    '/forgot',
    { schema: Send },
    formPage({ load: () => null, change: send, show: showForgot, entered: ({ body }) => body }),
  )
}

async function send({ server, body, ip }: RequestOf<typeof Send>) {
  await server.mailLimits.countResetRequest(ip)
  // The account is looked up after the answer, so that timing reveals nothing (RULES C9).
  server.mail?.requestReset(body.email)
  return '/forgot?sent=yes'
}

async function showForgot(
  _request: FastifyRequest,
  _subject: null,
  reply: FastifyReply,
  shown: ForgotContent,
) {
  return reply.page('forgot', { isSent: false, hasMail: true, ...shown })
}
