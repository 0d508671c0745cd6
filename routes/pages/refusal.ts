import type { FastifyReply } from 'fastify'
import { DomainError } from '../../common/domain-error.js'

/** The sentence to show above the form. Errors other than 400 go to the error page. */
export function refusal(error: unknown, reply: FastifyReply): string {
  if (!(error instanceof DomainError) || error.status !== 400) throw error
  reply.code(400)
  return error.message
}

/** The status of a form that is shown again: one that names a thing that has gone is a conflict, since the page exists. */
export const formStatus = ({ status }: DomainError): number => (status === 404 ? 409 : status)
