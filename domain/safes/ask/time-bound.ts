import { dateOf } from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { DAY_MS } from '../../../platform/common/durations.js'

/** A date, or a date and time with its zone (ISO 8601 as in RFC 3339 §5.6). */
const FORM =
  /^(\d{4}-\d\d-\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/**
 * The start or end of a time range, in milliseconds since 1970. A date means the whole day in UTC: its
 * first moment for `since`, its last for `until`.
 * @throws DomainError 400 that names the field
 */
export function timeBound(field: 'since' | 'until', text: string): number {
  const [, day = ''] = FORM.exec(text) ?? []
  const time = Date.parse(text)
  if (Number.isNaN(time) || dateOf(day) === null)
    throw new DomainError(
      400,
      'invalid_query',
      `"${field}" is a date like 2026-05-01, or a time with its zone like 2026-05-01T09:30:00Z.`,
    )
  return field === 'until' && text === day ? time + DAY_MS - 1 : time
}
