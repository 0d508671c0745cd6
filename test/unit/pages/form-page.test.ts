import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import t from 'tap'
import { DomainError } from '../../../platform/common/domain-error.js'
import { formPage } from '../../../routes/pages/form-page.js'

interface Shown {
  typed?: string
  error?: string
}

const show = async (_request: FastifyRequest, subject: string, reply: FastifyReply, shown: Shown) =>
  reply.send({ subject, ...shown })

/** Sends a form whose change fails with this status, or has this result. */
async function send(outcome: number | string | Shown, missing?: () => string) {
  const app = Fastify()
  app.post(
    '/',
    formPage({
      load: () => 'a Safe',
      change: async () => {
        if (typeof outcome === 'number') throw new DomainError(outcome, 'refused', 'Not so.', 7)
        return outcome
      },
      show,
      entered: () => ({ typed: 'Ann' }),
      ...(missing ? { missing } : {}),
    }),
  )
  const { statusCode, headers, body } = await app.inject({ method: 'POST', url: '/' })
  return { statusCode, headers, body: body && JSON.parse(body) }
}

for (const status of [400, 403, 409, 429])
  t.test(`a form refused with ${status} is shown again, with what was typed and why`, async t => {
    const body = { subject: 'a Safe', typed: 'Ann', error: 'Not so.' }
    t.match(await send(status), { statusCode: status, headers: { 'retry-after': '7' }, body })
  })

for (const status of [404, 410, 500, 503])
  t.test(`a form that fails with ${status} leads to a page of its own`, async t => {
    const { statusCode, body } = await send(status)
    t.equal(statusCode, status)
    t.notMatch(body, { subject: 'a Safe' })
  })

t.test('what a form names and has gone is a conflict, where the page says so', async t => {
  t.match(await send(404, () => 'Ann has gone.'), { statusCode: 409, body: { error: 'Ann has gone.' } })
})

t.test('a change leads on with 303, or shows what it brought', async t => {
  t.match(await send('/safes'), { statusCode: 303, headers: { location: '/safes' } })
  t.strictSame((await send({ typed: 'new' })).body, { subject: 'a Safe', typed: 'new' })
})
