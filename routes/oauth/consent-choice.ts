import type { FastifyRequest } from 'fastify'
import type { ConnectionChoice } from '../../domain/oauth/connections/choice.js'
import type { Parameters } from '../../domain/oauth/parameters.js'
import { WRITE } from '../../domain/oauth/scope.js'
import { chosenIn } from '../pages/connections/safe-choice.js'

/** Reads the submitted choice (DESIGN §5.11). */
export function choiceOf(fields: Parameters, offersProposing: boolean): ConnectionChoice {
  const scope = [fields.scope ?? []].flat()
  // Scripts may tick the scope, which the same box grants.
  const propose = offersProposing && ([fields.propose].flat().includes('yes') || scope.includes(WRITE))
  const search = [fields.search ?? []].flat()
  return {
    ...chosenIn(fields),
    scope,
    ...(propose && { propose }),
    // The form declares that it has the box, so that an unticked one removes the tools.
    ...(search.length > 0 && { search: search.includes('yes') }),
  }
}

/** The choice that was submitted at this address before the session ended, or null. `form`: from `keepForm`. */
export function keptChoice(
  request: FastifyRequest,
  address: string,
  form: string | null,
  offersProposing: boolean,
): ConnectionChoice | null {
  const kept = form === null ? null : request.openUnsentForm(form)
  if (kept?.path !== address) return null
  const valuesOf = (wanted: string) =>
    kept.fields.flatMap(([name, value]) => (name === wanted ? [value] : []))
  const [propose] = valuesOf('propose')
  const search = valuesOf('search')
  return choiceOf(
    {
      ...{ safe: valuesOf('safe'), only: valuesOf('only')[0], scope: valuesOf('scope'), propose },
      ...(search.length > 0 && { search }),
    },
    offersProposing,
  )
}
