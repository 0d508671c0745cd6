import { Readable } from 'node:stream'
import type { Clock } from '../../platform/common/clock.js'
import { notFound } from '../../platform/common/domain-error.js'
import { DAY_MS, HOUR_MS } from '../../platform/common/durations.js'
import { newId } from '../../platform/common/secrets.js'
import { visibleText } from '../../platform/common/visible-text.js'
import { inSlices } from '../../platform/storage/slices.js'
import type { Activity } from '../activity/activity.js'
import { safeErrors } from '../safes/errors.js'
import type { Safes } from '../safes/safes.js'
import { contentHash } from './content-hash.js'
import { proposalErrors } from './errors.js'
import { LIMITS, type NewProposal, type Proposal, type ProposalStatus, type Statement } from './proposal.js'
import { statementFile } from './statement-file.js'
import type { PendingPage, ProposalStore } from './stores/proposal.sql.js'

/** Connections listed as always rejected. */
const MOST_REJECTED = 100

/** Which assistant of whom proposes. */
interface Proposer {
  accountId: string
  connectionId: string
}

interface Dependencies {
  store: ProposalStore
  safes: Pick<Safes, 'membership' | 'imports'>
  activity: Pick<Activity, 'record'>
  clock: Clock
  /** The name of an import that came from a proposal, which answers name as the source. */
  sourceOf: (assistant: string, at: number) => string
}

/**
 * What assistants propose to add to a Safe (ADR 53). Nothing of it can be read by a tool. An owner accepts
 * statements, which become an import like any other, or rejects them.
 */
export class Proposals {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Adds a proposal to a Safe that the account can read. The same statements are one proposal until it expires.
   * @throws DomainError 400, 403, 409 or 429, with a message for the assistant
   */
  async propose(
    { accountId, connectionId }: Proposer,
    safeId: string,
    proposal: NewProposal,
  ): Promise<{ id: string; status: ProposalStatus }> {
    const { store, safes, activity, clock } = this.#dependencies
    if (lengthOf(proposal.statements) > LIMITS.characters) throw proposalErrors.tooLong()
    const now = clock()
    const shown = visible(proposal)
    if (shown.statements.some(isIncomplete)) throw proposalErrors.incomplete()
    const row = {
      ...shown,
      id: newId(),
      safeId,
      accountId,
      connectionId,
      contentHash: contentHash(shown.statements),
      createdAt: now,
      expiresAt: now + LIMITS.days * DAY_MS,
    }
    const role = (await safes.membership(accountId, safeId))?.role
    const added = await store.add(row, {
      // Readers leave a fifth of the places to the owners.
      pending: role === 'owner' ? LIMITS.pending : LIMITS.pendingForReaders,
      perAccount: LIMITS.pendingOfAccount,
      perConnection: LIMITS.perHour,
      since: now - HOUR_MS,
    })
    if (added.outcome === 'blocked') throw proposalErrors.blocked()
    if (added.outcome === 'too many pending') throw proposalErrors.tooManyPending()
    if (added.outcome === 'too many of account') throw proposalErrors.tooManyOfAccount()
    if (added.outcome === 'too many at once') throw proposalErrors.tooManyAtOnce()
    if (added.outcome === 'added')
      activity.record({
        kind: 'proposed',
        accountId,
        connectionId,
        safeId,
        facts: shown.statements.length,
        detail: shown.source,
      })
    return { id: added.id, status: added.status }
  }

  /** Undecided proposals, oldest first. @throws notFound for non-members, 403 for readers */
  async pending(ownerId: string, safeId: string, page: PendingPage): Promise<Proposal[]> {
    await this.#own(ownerId, safeId)
    return this.#dependencies.store.pending(safeId, this.#dependencies.clock(), page)
  }

  /** The newest undecided proposals for the Safes that an account owns. */
  waitingFor(ownerId: string, limit: number): Promise<(Proposal & { safeName: string })[]> {
    return this.#dependencies.store.waitingFor(ownerId, this.#dependencies.clock(), limit)
  }

  /** @throws 410 once it is decided or has expired */
  async find(ownerId: string, safeId: string, id: string): Promise<Proposal> {
    await this.#own(ownerId, safeId)
    const found = await this.#dependencies.store.find(safeId, id, this.#dependencies.clock())
    if (!found) throw proposalErrors.decided()
    return { ...found, ...visible(found) }
  }

  /**
   * Adds the statements that an owner accepted, as they are now, to the Safe. They become visible together, and
   * undoing their import takes them away. If the process dies in between, the proposal is still undecided, and
   * accepting it again adds nothing twice.
   * @throws DomainError 400 for incomplete statements, 409 when they could not be added, 410 once it is decided
   */
  async accept(ownerId: string, safeId: string, id: string, statements: readonly Statement[]): Promise<void> {
    const { store, safes, sourceOf } = this.#dependencies
    const { assistant, createdAt } = await this.find(ownerId, safeId, id)
    if (statements.length === 0) throw proposalErrors.nothing()
    const accepted = statements.map(visibleStatement)
    if (accepted.some(isIncomplete)) throw proposalErrors.incomplete()
    const added = await safes.imports.add(ownerId, safeId, {
      source: sourceOf(assistant, createdAt),
      format: 'jsonl',
      bytes: Readable.from([statementFile(accepted)]),
      commit: true,
    })
    if (added.status !== 'committed' && !added.sameAs) throw proposalErrors.notAdded(added.problem)
    await store.decide(safeId, id, 'accepted')
  }

  /** @throws 410 once it is decided */
  async reject(ownerId: string, safeId: string, id: string): Promise<void> {
    await this.find(ownerId, safeId, id)
    if (!(await this.#dependencies.store.decide(safeId, id, 'rejected'))) throw proposalErrors.decided()
    this.#dependencies.activity.record({ kind: 'proposal-rejected', accountId: ownerId, safeId })
  }

  /** Rejects all proposals of the connection that made this one, now and from now on. */
  async rejectAlways(ownerId: string, safeId: string, id: string): Promise<void> {
    const { connectionId } = await this.find(ownerId, safeId, id)
    await this.#dependencies.store.rejectAlways(safeId, connectionId)
    this.#dependencies.activity.record({
      kind: 'proposal-rejected',
      accountId: ownerId,
      safeId,
      connectionId,
      detail: 'always',
    })
  }

  /** Rejects everything undecided that the person who made this proposal has proposed to this Safe. */
  async rejectPerson(ownerId: string, safeId: string, id: string): Promise<void> {
    await this.find(ownerId, safeId, id)
    await this.#dependencies.store.rejectPerson(safeId, id)
    this.#dependencies.activity.record({
      kind: 'proposal-rejected',
      accountId: ownerId,
      safeId,
      detail: 'person',
    })
  }

  /** Connections whose proposals to this Safe are always rejected. */
  async rejected(ownerId: string, safeId: string) {
    await this.#own(ownerId, safeId)
    return this.#dependencies.store.rejected(safeId, MOST_REJECTED)
  }

  async allowAgain(ownerId: string, safeId: string, connectionId: string): Promise<void> {
    await this.#own(ownerId, safeId)
    await this.#dependencies.store.allowAgain(safeId, connectionId)
  }

  /** Deletes expired proposals. */
  async sweep(): Promise<void> {
    const now = this.#dependencies.clock()
    await inSlices(() => this.#dependencies.store.expireSome(now))
  }

  async #own(accountId: string, safeId: string): Promise<void> {
    const membership = await this.#dependencies.safes.membership(accountId, safeId)
    if (!membership) throw notFound('Safe')
    if (membership.role !== 'owner') throw safeErrors.ownerOnly()
  }
}

/** An owner sees what they decide about, and accepts nothing else. */
const visible = ({ statements, note, source }: NewProposal): NewProposal => ({
  statements: statements.map(visibleStatement),
  note: visibleText(note ?? '') || null,
  source: visibleText(source ?? '') || null,
})

const visibleStatement = ({ subject, predicate, object }: Statement): Statement => ({
  subject: visibleText(subject),
  predicate: visibleText(predicate),
  object: visibleText(object),
})

const lengthOf = (statements: readonly Statement[]) =>
  statements.reduce(
    (sum, { subject, predicate, object }) => sum + subject.length + predicate.length + object.length,
    0,
  )

const isIncomplete = ({ subject, predicate, object }: Statement) => !subject || !predicate || !object
