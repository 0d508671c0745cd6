import type { Standing } from '../../../domain/oauth/clients/app-trust.js'
import { WRITE } from '../../../domain/oauth/scope.js'
import { showNumber, showTime } from '../../../platform/common/format.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { connectionsTexts } from '../../../views/texts/connections.js'
import { describeScope } from '../../describe-scope.js'
import { pathWith } from '../list.js'
import { type CallsChart, callsChart } from './calls-chart.js'
import type { ConnectionWithReads } from './connection-reads.js'

/** A connection as shown in its list and on its own page. */
interface ConnectionHead {
  clientName: string
  standing: Standing
  facts: { name: string; value: string }[]
  chart: (CallsChart & { id: string }) | null
  activity: { href: string; label: string }
  /** The form that sets whether its questions are stored. `keep` is the value it sends. */
  questions: { action: string; keep: 'yes' | 'no'; label: string }
  /** The action of its button. */
  revoke: string
}

/** `calls`: those of each day, today last. */
export function connectionHead(
  connection: ConnectionWithReads,
  calls: readonly number[],
  keepsActivity: boolean,
): ConnectionHead {
  const m = connectionsTexts
  const { questionText, kept, notKept, keep, stopKeeping, of } = activityTexts
  const { id, clientName, standing, redirectHost, reads, createdAt, lastUsedAt, keepsQuestions } = connection
  const facts = [
    { name: m.host, value: redirectHost },
    { name: m.reads, value: reads },
    { name: m.scopes, value: scopeText(connection) },
    { name: m.since, value: showTime(createdAt) },
    { name: m.lastUsed, value: lastUsedAt ? showTime(lastUsedAt) : m.never },
    { name: m.calls, value: showNumber(connection.calls) },
    { name: questionText, value: keepsActivity && keepsQuestions ? kept : notKept },
  ]
  const chart = callsChart(calls)
  return {
    clientName,
    standing,
    facts: facts.filter(({ value }) => value !== ''),
    chart: chart && { ...chart, id: `calls-${id}` },
    activity: { href: pathWith('/activity', { connection: id }), label: of(clientName) },
    questions: {
      action: `/connections/${id}/questions`,
      keep: keepsQuestions ? 'no' : 'yes',
      label: keepsQuestions ? stopKeeping(clientName) : keep(clientName),
    },
    revoke: `/connections/${id}/revoke`,
  }
}

/** Its access, in words. Proposing is a power, which its page shows. */
function scopeText({ scope, resource }: ConnectionWithReads): string {
  const shown = resource === 'api' ? scope : scope.filter(name => name !== WRITE)
  return shown.map(name => describeScope(name, resource, { hasProposals: true })).join('; ')
}

/** When a connection ended, and why. */
export function endedText({ revokedAt, revokedReason }: ConnectionWithReads): string {
  return [revokedAt ? showTime(revokedAt) : null, revokedReason].filter(Boolean).join(' · ')
}
