import type { FastifyInstance } from 'fastify'
import type { Proposal, Statement } from '../../../domain/proposals/proposal.js'
import { isPassage } from '../../../domain/proposals/statement-file.js'
import { normalizeName } from '../../../engine/graph/index.js'
import { showTime } from '../../../platform/common/format.js'
import { proposalsTexts } from '../../../views/texts/proposals.js'
import type { ProposalChoice } from './proposal-choice.js'
import type { TextRow } from './proposal-texts.js'
import type { SafeHead } from './safe-head.js'

/** A longer text gets the whole width. */
const SHORT = 60
/** Maximum known objects shown next to a statement. */
const KNOWN = 5

/** The view model of one proposal, as it was made or as its form was sent. */
export function proposalView(
  head: SafeHead,
  proposal: Proposal,
  choice: ProposalChoice | null,
  known: readonly (string | null)[],
  texts: TextRow[],
) {
  const m = proposalsTexts
  const path = `${head.path}/proposals`
  return {
    here: 'safes',
    head,
    title: m.title(proposal),
    from: fromWhom(proposal),
    rejectPerson: m.rejectPerson(proposal.email),
    note: proposal.note,
    source: proposal.source,
    statements: (choice?.statements ?? proposal.statements).map((statement, i) => ({
      ...statement,
      number: i,
      isTicked: choice?.ticked.has(i) ?? true,
      legend: m.statement(i + 1),
      isLong: [statement.subject, statement.predicate, statement.object].some(text => text.length > SHORT),
      known: known[i] ?? null,
    })),
    texts,
    action: `${path}/${proposal.id}`,
    back: path,
  }
}

/** The author of a proposal, and its time. */
export const fromWhom = ({ email, createdAt }: Proposal) => proposalsTexts.from(email, showTime(createdAt))

/** The Safe's facts about the subject with this predicate, or that the statement becomes a passage. */
export async function knownAbout(
  { safes }: FastifyInstance,
  accountId: string,
  safeId: string,
  statement: Statement,
): Promise<string | null> {
  if (isPassage(statement)) return proposalsTexts.passage
  const { subject, predicate, object } = statement
  const key = normalizeName(subject)
  const asked = { predicate, key, direction: 'out' as const, limit: KNOWN }
  const { items, hasMore } = await safes.browse.relations(accountId, safeId, asked)
  const names = items.map(({ object }) => object.name)
  if (names.length === 0) return null
  const isSame = items.some(item => item.object.key === normalizeName(object))
  return isSame ? proposalsTexts.same : proposalsTexts.known(names.join(', '), hasMore)
}
