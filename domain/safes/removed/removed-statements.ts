import { Identities, normalizeName } from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import type { SafesShared } from '../dependencies.js'
import { safeErrors } from '../errors.js'
import { requireOwner } from '../membership.js'
import { passageOf } from '../passage-id.js'
import { foldedPredicate, hashOfText, type RemovedStatement } from './removed.js'

type RemovedStatementsDependencies = Pick<
  SafesShared,
  'safes' | 'contents' | 'indexes' | 'decisions' | 'rows' | 'clock'
>

/** Maximum removed statements per Safe. */
const MAX = 5_000
/** Maximum names of one thing whose facts are removed. */
const MAX_NAMES = 200
const SHOWN = 300

/** A fact, by the names of its parts. */
interface RemovedFact {
  subject: string
  predicate: string
  object: string
}

/**
 * Facts and passages that owners remove from a Safe (ADR 45). The rows stay, and every reader of rows
 * leaves them out, regardless of the import, sync or merge they come from; removing and restoring are one step each.
 */
export class RemovedStatements extends Part<RemovedStatementsDependencies> {
  /** The removed statements, the newest first. */
  async list(ownerId: string, safeId: string): Promise<readonly RemovedStatement[]> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    return (await this.dependencies.decisions.removed(safeId)).statements
  }

  /**
   * Removes a fact, also under the other names of its things. Returns the id to restore it by. @throws notFound unless
   * there is such a fact, or it was removed already
   */
  async removeFact(ownerId: string, safeId: string, fact: RemovedFact): Promise<string> {
    const { safes, indexes, decisions } = this.dependencies
    const { version } = await requireOwner(safes, ownerId, safeId)
    const names = await this.#namesOf(safeId)
    const { subject, predicate, object } = fact
    const folded = foldedPredicate(predicate)
    const keys = { subjects: names(subject), predicate: folded, objects: names(object) }
    const id = hashOfText(['fact', normalizeName(subject), folded, normalizeName(object)].join('\0'))
    if ((await decisions.removed(safeId)).statements.some(statement => statement.id === id)) return id
    const content = await indexes.newest(safeId, version, ownerId)
    if (!(await content.browse({ kind: 'fact', ...fact }, ownerId)).found) throw notFound('Fact')
    return this.#add(safeId, { id, kind: 'fact', keys, shown: [subject, predicate, object], removedAt: 0 })
  }

  /** Removes a passage by its id in an answer, such as "p3.12". @throws notFound */
  async removePassage(ownerId: string, safeId: string, passageId: string): Promise<string> {
    const { safes, contents } = this.dependencies
    await requireOwner(safes, ownerId, safeId)
    const ref = passageOf(passageId)
    const [row] = ref ? await contents.passages(safeId, [ref]) : []
    const committed = await contents.committedImports(safeId)
    const isVisible = committed?.ranges.some(
      ([from, to]) => row && row.importId >= from && row.importId <= to,
    )
    if (!row || !isVisible) throw notFound('Passage')
    const keys = { entity: row.entityKey, textHash: hashOfText(row.text) }
    const id = hashOfText(['passage', keys.entity, keys.textHash].join('\0'))
    const shown = [row.title, row.text.slice(0, SHOWN)]
    return this.#add(safeId, { id, kind: 'passage', keys, shown, removedAt: 0 })
  }

  /** @throws notFound if it is not removed */
  async restore(ownerId: string, safeId: string, id: string): Promise<void> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    if (!(await this.dependencies.decisions.bringBack(safeId, id))) throw notFound('Statement')
  }

  async #add(safeId: string, statement: RemovedStatement): Promise<string> {
    const { decisions, clock, rows } = this.dependencies
    if (!(await decisions.remove(safeId, { ...statement, removedAt: clock() }, MAX)))
      throw safeErrors.tooManyRemoved(MAX)
    rows.drop(safeId)
    return statement.id
  }

  /** The keys of everything that is one thing with a name (ADR 56). */
  async #namesOf(safeId: string): Promise<(name: string) => string[]> {
    const committed = await this.dependencies.contents.committedImports(safeId)
    if (!committed) throw notFound('Safe')
    const identities = new Identities()
    const { contents } = this.dependencies
    for await (const page of contents.source(safeId, committed.ranges).identities())
      for (const row of page) identities.add(row)
    const roots = identities.resolve()
    return name => {
      const key = normalizeName(name)
      const root = roots.get(key) ?? key
      const others = [...roots].filter(([, to]) => to === root).map(([from]) => from)
      return [...new Set([root, key, ...others])].slice(0, MAX_NAMES)
    }
  }
}
