import { normalizeName, spacedPredicate } from '../../engine/graph/index.js'
import { Part } from '../part.js'
import type { SafesShared } from './dependencies.js'
import { safeErrors } from './errors.js'
import { forReaders, requireOwner } from './membership.js'

/** Maximum predicates of a Safe with one value at a time, and maximum characters of one. */
const MAX_SINGLE_VALUED = 200
const MAX_PREDICATE_LENGTH = 1_000

/** Predicates for which a thing has one value at a time (ADR 55), in the spelling of the index. */
export class SingleValued extends Part<Pick<SafesShared, 'safes' | 'decisions'>> {
  /** @throws notFound for non-members */
  readonly list = forReaders(this.dependencies, 'decisions', 'singleValued')

  /**
   * Marks a predicate in any spelling, or removes the mark, and returns the spelling of the index. Nothing is lost: superseded
   * facts stay, as history.
   * @throws DomainError 400 for an impossible name, or when too many are marked; 403 for readers
   */
  async set(accountId: string, safeId: string, predicate: string, isOn: boolean): Promise<string> {
    const { safes, decisions } = this.dependencies
    await requireOwner(safes, accountId, safeId)
    const name = normalizeName(spacedPredicate(predicate))
    if (name === '' || name.length > MAX_PREDICATE_LENGTH || name.includes('\0'))
      throw safeErrors.predicateName()
    const isChanged = await decisions.setSingleValued(safeId, name, isOn, MAX_SINGLE_VALUED)
    if (!isChanged && isOn && !(await decisions.singleValued(safeId)).includes(name))
      throw safeErrors.manySingleValued(MAX_SINGLE_VALUED)
    return name
  }
}
