import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { DomainError } from '../../platform/common/domain-error.js'
import { pathOf } from '../../platform/common/path.js'
import type { UnsentForm } from '../../plugins/unsent-forms.js'
import { accountTexts } from '../../views/texts/account.js'
import type { RequestOf, TypedApp } from './params.js'
import { SealedText } from './sealed-text.js'

const Show = { querystring: Type.Object({ form: SealedText }) }

/** Shows a form again that was sent after the session had ended (docs/decisions/0005). */
export default async function continuePage(app: TypedApp) {
  app.get('/continue', { schema: Show }, showForm)
}

async function showForm(request: RequestOf<typeof Show>, reply: FastifyReply) {
  const form = request.openUnsentForm(request.query.form)
  if (!form) throw new DomainError(410, 'form_gone', accountTexts.unsentForm.gone)
  if (form.method === 'GET') return reply.redirect(form.path, 303)
  return showUnsentForm(reply, form)
}

/** Shows a form, filled in, for a confirming click. */
export function showUnsentForm(reply: FastifyReply, form: UnsentForm) {
  const labels: Record<string, string> = accountTexts.unsentForm.fields
  const actions: Record<string, string> = accountTexts.unsentForm.actions
  const path = pathOf(form.path)
  const fields = form.fields.map(([name, value]) => ({ name, value, label: labels[name] ?? '' }))
  return reply.page('continue', {
    action: form.path,
    csrfPath: path,
    label: actions[path.split('/').at(-1) ?? ''] ?? accountTexts.unsentForm.other,
    shown: fields.filter(({ label }) => label !== ''),
    hidden: fields.filter(({ label }) => label === ''),
  })
}
