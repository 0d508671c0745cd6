import { hash } from 'node:crypto'
import { DomainError } from '../../../platform/common/domain-error.js'

/** An opaque position in an answer: where the next page begins. It grants no access. */
export function sealCursor(version: number, identity: string, offset: number): string {
  return Buffer.from(JSON.stringify([version, digest(identity), offset])).toString('base64url')
}

/**
 * Returns the offset of a cursor.
 * @throws DomainError 400 when it belongs to another question, or the Safe has changed since
 */
export function openCursor(cursor: string, version: number, identity: string): number {
  const [ofVersion, ofQuestion, offset] = parse(cursor)
  if (ofQuestion !== digest(identity) || !Number.isSafeInteger(offset) || offset < 0) {
    throw expired('This cursor belongs to another question or another Safe. Ask again without a cursor.')
  }
  if (ofVersion !== version) {
    throw expired('The Safe has changed since this cursor was given. Ask again without a cursor.')
  }
  return offset
}

function parse(cursor: string): [unknown, unknown, number] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts)) return parts as [unknown, unknown, number]
  } catch {}
  return [null, null, -1]
}

const expired = (message: string) => new DomainError(400, 'cursor_expired', message)

const digest = (identity: string) => hash('sha256', identity, 'base64url').slice(0, 16)
