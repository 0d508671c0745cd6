import type { FastifyInstance } from 'fastify'
import { revocationReasons } from '../../../domain/oauth/connections/connection.js'
import type { Proposal } from '../../../domain/proposals/proposal.js'
import type { OpenImport } from '../../../domain/safes/safe.js'
import { homeTexts } from '../../../views/texts/home.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { proposalsTexts } from '../../../views/texts/proposals.js'

/** Something that waits for the user, as the home page shows it. */
export interface Decision {
  /** What kind it is. */
  tag: string
  isBad: boolean
  name: string
  /** Whether it names an app by what that calls itself. */
  isUnverified: boolean
  href: string
  text: string
}

const IMPORTS_SHOWN = 5
const PROPOSALS_SHOWN = 5
/** Connections looked at for those that were refused. */
const CONNECTIONS_SEEN = 20
/** How long a refused connection is called to mind. */
const REFUSED_SHOWN_MS = 7 * 86_400_000

/** Reasons after which the user should connect again. */
const REFUSED: readonly (string | null)[] = [revocationReasons.refreshReused, revocationReasons.codeReplayed]

/** What waits for a decision of this account: imports and proposals to review, rejected imports, and connections that were refused. */
export async function decisionsOf(app: FastifyInstance, accountId: string): Promise<Decision[]> {
  const [imports, proposals, refused] = await Promise.all([
    app.safes.imports.open(accountId, IMPORTS_SHOWN),
    app.proposals.waitingFor(accountId, PROPOSALS_SHOWN),
    refusedConnections(app, accountId),
  ])
  return [...refused.map(reconnect), ...proposals.map(decide), ...imports.map(review)]
}

interface Refused {
  name: string
  isVerified: boolean
  reason: string
}

/** Assistants whose connection was refused and that have not connected again since, by name. */
async function refusedConnections(
  { oauth, activity }: FastifyInstance,
  accountId: string,
): Promise<Refused[]> {
  const [ended, open] = await Promise.all([
    oauth.connections.listFor(accountId, { kind: 'ended', limit: CONNECTIONS_SEEN }),
    oauth.connections.listFor(accountId, { kind: 'open', limit: CONNECTIONS_SEEN }),
  ])
  const refused = new Map<string, Refused>()
  for (const { clientName, standing, revokedAt, revokedReason } of ended) {
    if (!REFUSED.includes(revokedReason) || refused.has(clientName)) continue
    const at = revokedAt ?? 0
    const isBack = open.some(each => each.clientName === clientName && each.createdAt > at)
    if (!isBack && activity.ageOf(at) < REFUSED_SHOWN_MS)
      refused.set(clientName, {
        name: clientName,
        isVerified: standing !== 'unverified',
        reason: revokedReason ?? '',
      })
  }
  return [...refused.values()]
}

function reconnect({ name, isVerified, reason }: Refused): Decision {
  const m = homeTexts
  return {
    tag: m.refused,
    isBad: true,
    name: m.connectAgain(name),
    isUnverified: !isVerified,
    href: '/start#connect',
    text: reason,
  }
}

function decide(proposal: Proposal & { safeName: string }): Decision {
  const { safeId, id, isVerified, safeName } = proposal
  return {
    tag: importsTexts.states.staged,
    isBad: false,
    name: proposalsTexts.title(proposal),
    isUnverified: !isVerified,
    href: `/safes/${safeId}/proposals/${id}`,
    text: safeName,
  }
}

function review({ safeId, id, source, status, problem, safeName }: OpenImport): Decision {
  const isBad = status === 'failed'
  return {
    tag: importsTexts.states[status],
    isBad,
    name: source,
    isUnverified: false,
    href: `/safes/${safeId}/imports/${id}`,
    text: isBad && problem ? `${safeName} · ${problem}` : safeName,
  }
}
