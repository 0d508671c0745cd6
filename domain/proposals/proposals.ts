import { Readable } from 'node:stream'
import type { Clock } from '../../platform/common/clock.js'
import { notFound } from '../../platform/common/domain-error.js'
import { DAY_MS, HOUR_MS } from '../../platform/common/durations.js'
import { hashSecret, newId } from '../../platform/common/secrets.js'
import { visibleText } from '../../platform/common/visible-text.js'
import type { Activity } from '../activity/activity.js'
import { Part } from '../part.js'
import { safeErrors } from '../safes/errors.js'
import type { NoteChange } from '../safes/notes/notes.js'
import type { Safes } from '../safes/safes.js'
import { proposalErrors } from './errors.js'
import {
  type AcceptedText,
  LIMITS,
  type NewProposal,
  type Proposal,
  type ProposalStatus,
  type ProposedText,
  type Statement,
} from './proposal.js'
import { filesOf, type Preview, previewOf, proposedTexts, type WantedTexts } from './proposed-texts.js'
import { statementFile } from './statement-file.js'
import type { PendingPage, ProposalStore } from './stores/proposal.sql.js'

/** Connections listed as always rejected. */
const MAX_REJECTED = 100

/** The assistant that proposes, and its account. */
interface Proposer {
  accountId: string
  connectionId: string
}

interface ProposalsDependencies {
  store: ProposalStore
  safes: Pick<Safes, 'membership' | 'imports' | 'documents' | 'reading' | 'notes'>
  activity: Pick<Activity, 'record'>
  clock: Clock
  /** The name of an import that came from a proposal, shown in answers as the source. */
  sourceOf: (assistant: string, at: number) => string
}

/**
 * Proposals of assistants to a Safe (ADR 53). Tools cannot read them. An owner accepts
 * statements, which become an import like any other, or rejects them.
 */
export class Proposals extends Part<ProposalsDependencies> {
  /**
   * Adds a proposal to a Safe that the account can read. The same statements are one proposal until it expires.
   * @throws DomainError 400, 403, 409 or 429, with a message for the assistant
   */
  async propose(
    { accountId, connectionId }: Proposer,
    safeId: string,
    proposal: NewProposal & WantedTexts,
  ): Promise<{ id: string; status: ProposalStatus }> {
    const { store, safes, activity, clock } = this.dependencies
    if (lengthOf(proposal.statements) > LIMITS.characters) throw proposalErrors.tooLong()
    const now = clock()
    const texts = await proposedTexts(safes, accountId, safeId, proposal)
    const shown = { ...visible(proposal), texts }
    if (shown.statements.length + texts.length === 0) throw proposalErrors.empty()
    if (shown.statements.some(isIncomplete)) throw proposalErrors.incomplete()
    const row = {
      ...shown,
      id: newId(),
      safeId,
      accountId,
      connectionId,
      contentHash: contentHash(shown.statements, texts),
      createdAt: now,
      expiresAt: now + LIMITS.days * DAY_MS,
    }
    const role = (await safes.membership(accountId, safeId))?.role
    const added = await store.add(row, {
      // The last fifth of the places is reserved for owners.
      pending: role === 'owner' ? LIMITS.pending : LIMITS.pendingForReaders,
      perAccount: LIMITS.pendingOfAccount,
      perConnection: LIMITS.perHour,
      since: now - HOUR_MS,
    })
    if (!('id' in added)) throw proposalErrors[added.outcome]()
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
    return this.dependencies.store.pending(safeId, this.dependencies.clock(), page)
  }

  /** The newest undecided proposals for the Safes that an account owns. */
  waitingFor(ownerId: string, limit: number): Promise<(Proposal & { safeName: string })[]> {
    return this.dependencies.store.waitingFor(ownerId, this.dependencies.clock(), limit)
  }

  /** @throws 410 if it has been decided or has expired */
  async find(ownerId: string, safeId: string, id: string): Promise<Proposal> {
    await this.#own(ownerId, safeId)
    const found = await this.dependencies.store.find(safeId, id, this.dependencies.clock())
    if (!found) throw proposalErrors.decided()
    return { ...found, ...visible(found) }
  }

  /** The result of proposed texts in the current documents. */
  previews(ownerId: string, safeId: string, texts: readonly ProposedText[]): Promise<Preview[]> {
    return Promise.all(texts.map(text => previewOf(this.dependencies.safes, ownerId, safeId, text)))
  }

  /**
   * Adds the accepted items, in their current form, to the Safe: statements as an import, texts as a run of its notes, each
   * visible in one step and undone in one. If the process dies in between, the proposal is still undecided; accepting it
   * again adds no statement twice, and no text to a document that it has changed. Returns the texts that were written.
   * @throws DomainError 400 for incomplete statements, 409 if they could not be added or a document has changed, 410
   * if it has been decided
   */
  async accept(
    ownerId: string,
    safeId: string,
    id: string,
    statements: readonly Statement[],
    texts: readonly AcceptedText[] = [],
  ): Promise<NoteChange | null> {
    const { store, safes, sourceOf } = this.dependencies
    const { assistant, createdAt, texts: proposed } = await this.find(ownerId, safeId, id)
    if (statements.length + texts.length === 0) throw proposalErrors.nothing()
    const accepted = statements.map(visibleStatement)
    if (accepted.some(isIncomplete)) throw proposalErrors.incomplete()
    const by = sourceOf(assistant, createdAt)
    const files = await filesOf(safes, ownerId, safeId, proposed, texts)
    if (accepted.length > 0) await this.#addStatements(ownerId, safeId, accepted, by)
    const written = files.length > 0 ? await safes.notes.write(ownerId, safeId, files, by) : null
    await store.decide(safeId, id, 'accepted')
    return written
  }

  async #addStatements(ownerId: string, safeId: string, statements: readonly Statement[], source: string) {
    const added = await this.dependencies.safes.imports.add(ownerId, safeId, {
      source,
      format: 'jsonl',
      bytes: Readable.from([statementFile(statements)]),
      commit: true,
    })
    if (added.status !== 'committed' && !added.sameAs) throw proposalErrors.notAdded(added.problem)
  }

  /**
   * Rejects it; or all undecided proposals of the same account; or all of its connection, now and in the future.
   * @throws 410 if it has been decided
   */
  async reject(ownerId: string, safeId: string, id: string, all?: 'person' | 'always'): Promise<void> {
    const { store, activity } = this.dependencies
    const { connectionId } = await this.find(ownerId, safeId, id)
    if (all === 'person') await store.rejectPerson(safeId, id)
    else if (all === 'always') await store.rejectAlways(safeId, connectionId)
    else if (!(await store.decide(safeId, id, 'rejected'))) throw proposalErrors.decided()
    const whose = all === 'always' ? { connectionId } : {}
    const detail = all === undefined ? {} : { detail: all }
    activity.record({ kind: 'proposal-rejected', accountId: ownerId, safeId, ...whose, ...detail })
  }

  /** Connections whose proposals to this Safe are always rejected. */
  async rejected(ownerId: string, safeId: string) {
    await this.#own(ownerId, safeId)
    return this.dependencies.store.rejected(safeId, MAX_REJECTED)
  }

  async allowAgain(ownerId: string, safeId: string, connectionId: string): Promise<void> {
    await this.#own(ownerId, safeId)
    await this.dependencies.store.allowAgain(safeId, connectionId)
  }

  /** Deletes expired proposals. */
  sweep(): Promise<void> {
    return this.dependencies.store.expire(this.dependencies.clock())
  }

  async #own(accountId: string, safeId: string): Promise<void> {
    const membership = await this.dependencies.safes.membership(accountId, safeId)
    if (!membership) throw notFound('Safe')
    if (membership.role !== 'owner') throw safeErrors.ownerOnly()
  }
}

/** An owner accepts exactly what they see. */
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

/** Identifies the content of statements and texts in any order: repeated calls of an assistant are one proposal. */
function contentHash(statements: readonly Statement[], texts: readonly ProposedText[]): string {
  const facts = statements.map(({ subject, predicate, object }) =>
    JSON.stringify([subject, predicate, object].map(text => text.trim().toLowerCase())),
  )
  return hashSecret([...new Set([...facts, ...texts.map(text => JSON.stringify(text))])].sort().join('\n'))
}
