import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { flashTexts } from '../../../views/texts/flash.js'
import type { RequestOf, TypedApp } from '../params.js'

const Display = {
  body: Type.Object({
    theme: Type.Union([Type.Literal('system'), Type.Literal('light'), Type.Literal('dark')]),
    dates: Type.Union([Type.Literal('english'), Type.Literal('browser')]),
  }),
}

/** How this browser shows pages: its theme, and the language of dates. The layout reads both from cookies. */
export default async function displayPages(app: TypedApp) {
  app.post('/account/display', { schema: Display }, setDisplay)
}

async function setDisplay({ server, body }: RequestOf<typeof Display>, reply: FastifyReply) {
  const secure = server.config.baseUrl.startsWith('https:')
  for (const name of ['theme', 'dates'] as const)
    reply.setCookie(name, body[name], {
      path: '/',
      maxAge: 31_536_000,
      sameSite: 'lax',
      httpOnly: true,
      secure,
    })
  reply.says({ text: flashTexts.displaySaved })
  return reply.redirect('/account#display', 303)
}
