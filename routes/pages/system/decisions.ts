import type { FastifyInstance } from 'fastify'
import { revocationReasons } from '../../../domain/oauth/connections/connection.js'
import type { Proposal } from '../../../domain/proposals/proposal.js'
import type { OpenImport } from '../../../domain/safes/safe.js'
import { homeTexts } from '../../../views/texts/home.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { proposalsTexts } from '../../../views/texts/proposals.js'

/** A decision that waits for the user, as the home page shows it. */
interface Decision {
  /** Its kind. */
  tag: string
  isBad: boolean
  name: string
  href: string
  text: string
}

/** A rejected file, which the home page shows until it is dismissed. */
interface RejectedFile {
  name: string
  href: string
  text: string
  /** The form that removes it from the list. */
  dismiss: string
}

const IMPORTS_SHOWN = 5
const PROPOSALS_SHOWN = 5
/** Maximum connections searched for refused ones. */
const CONNECTIONS_SEEN = 20
/** How long a refused connection is shown. */
const REFUSED_SHOWN_MS = 7 * 86_400_000

/** Reasons after which the user should connect again. */
const REFUSED: readonly (string | null)[] = [revocationReasons.refreshReused, revocationReasons.codeReplayed]

/** Decisions that wait for this account: imports and proposals to review, and connections that were refused; and rejected files. */
export async function decisionsOf(app: FastifyInstance, accountId: string) {
  const [imports, proposals, refused] = await Promise.all([
    app.safes.imports.open(accountId, IMPORTS_SHOWN),
    app.proposals.waitingFor(accountId, PROPOSALS_SHOWN),
    refusedConnections(app, accountId),
  ])
  const staged = imports.filter(({ status }) => status !== 'failed')
  return {
    decisions: [...refused.map(reconnect), ...proposals.map(decide), ...staged.map(review)],
    rejected: imports.filter(({ status }) => status === 'failed').map(rejectedFile),
  }
}

/** Assistants whose connection was refused and that have not connected again since, by name. */
async function refusedConnections(
  { oauth, activity }: FastifyInstance,
  accountId: string,
): Promise<{ name: string; reason: string }[]> {
  const [ended, open] = await Promise.all([
    oauth.connections.listFor(accountId, { kind: 'ended', limit: CONNECTIONS_SEEN }),
    oauth.connections.listFor(accountId, { kind: 'open', limit: CONNECTIONS_SEEN }),
  ])
  const refused = new Map<string, { name: string; reason: string }>()
  for (const { clientName, revokedAt, revokedReason } of ended) {
    if (!REFUSED.includes(revokedReason) || refused.has(clientName)) continue
    const at = revokedAt ?? 0
    const isBack = open.some(each => each.clientName === clientName && each.createdAt > at)
    if (!isBack && activity.ageOf(at) < REFUSED_SHOWN_MS)
      refused.set(clientName, { name: clientName, reason: revokedReason ?? '' })
  }
  return [...refused.values()]
}

const reconnect = ({ name, reason }: { name: string; reason: string }): Decision => ({
  tag: homeTexts.refused,
  isBad: true,
  name: homeTexts.connectAgain(name),
  href: '/start#connect',
  text: reason,
})

function decide(proposal: Proposal & { safeName: string }): Decision {
  const { safeId, id, safeName } = proposal
  return {
    tag: importsTexts.states.staged,
    isBad: false,
    name: proposalsTexts.title(proposal),
    href: `/safes/${safeId}/proposals/${id}`,
    text: safeName,
  }
}

const review = ({ safeId, id, source, status, safeName }: OpenImport): Decision => ({
  tag: importsTexts.states[status],
  isBad: false,
  name: source,
  href: `/safes/${safeId}/imports/${id}`,
  text: safeName,
})

function rejectedFile({ safeId, id, source, problem, safeName }: OpenImport): RejectedFile {
  const href = `/safes/${safeId}/imports/${id}`
  return {
    name: source,
    href,
    text: [safeName, problem].filter(Boolean).join(' · '),
    dismiss: `${href}/undo`,
  }
}
