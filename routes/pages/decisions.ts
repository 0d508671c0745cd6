import type { FastifyInstance } from 'fastify'
import { messages } from '../../messages.js'
import { revocationReasons } from '../../oauth/connections/connection.js'
import type { Proposal } from '../../proposals/proposal.js'
import type { OpenImport } from '../../safes/safe.js'

/** Something that waits for the user, as the home page shows it. */
export interface Decision {
  /** What kind it is. */
  tag: string
  isBad: boolean
  name: string
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
    app.safes.openImports(accountId, IMPORTS_SHOWN),
    app.proposals.waitingFor(accountId, PROPOSALS_SHOWN),
    refusedConnections(app, accountId),
  ])
  return [...refused.map(reconnect), ...proposals.map(decide), ...imports.map(review)]
}

/** Assistants whose connection was refused and that have not connected again since, by name. */
async function refusedConnections(
  { oauth, activity }: FastifyInstance,
  accountId: string,
): Promise<[name: string, reason: string][]> {
  const [ended, open] = await Promise.all([
    oauth.connections.listFor(accountId, { kind: 'ended', limit: CONNECTIONS_SEEN }),
    oauth.connections.listFor(accountId, { kind: 'open', limit: CONNECTIONS_SEEN }),
  ])
  const refused = new Map<string, string>()
  for (const { clientName, revokedAt, revokedReason } of ended) {
    if (!REFUSED.includes(revokedReason) || refused.has(clientName)) continue
    const at = revokedAt ?? 0
    const isBack = open.some(each => each.clientName === clientName && each.createdAt > at)
    if (!isBack && activity.ageOf(at) < REFUSED_SHOWN_MS) refused.set(clientName, revokedReason ?? '')
  }
  return [...refused]
}

function reconnect([name, reason]: [name: string, reason: string]): Decision {
  const m = messages.home
  return { tag: m.refused, isBad: true, name: m.connectAgain(name), href: '/start#connect', text: reason }
}

function decide({ safeId, id, assistant, statements, safeName }: Proposal & { safeName: string }): Decision {
  return {
    tag: messages.imports.states.staged,
    isBad: false,
    name: messages.proposals.title(assistant, statements.length),
    href: `/safes/${safeId}/proposals/${id}`,
    text: safeName,
  }
}

function review({ safeId, id, source, status, problem, safeName }: OpenImport): Decision {
  const isBad = status === 'failed'
  return {
    tag: messages.imports.states[status],
    isBad,
    name: source,
    href: `/safes/${safeId}/imports/${id}`,
    text: isBad && problem ? `${safeName} · ${problem}` : safeName,
  }
}
