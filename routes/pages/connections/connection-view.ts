import { offeredScopes } from '../../../domain/oauth/connections/choice.js'
import { WRITE } from '../../../domain/oauth/scope.js'
import { showTime } from '../../../platform/common/format.js'
import type { Config } from '../../../plugins/config.js'
import { connectionsTexts } from '../../../views/texts/connections.js'
import { consentTexts } from '../../../views/texts/consent.js'
import { describeScope } from '../../describe-scope.js'
import { connectionHead, endedText } from './connection-head.js'
import type { ConnectionWithReads } from './connection-reads.js'

interface MemberView {
  href: string
  since: string
  text: string
  /** The action of the button that ends it, or null. */
  end: string | null
}

/** Another connection of the same app. */
export function memberView(connection: ConnectionWithReads): MemberView {
  const { id, createdAt, lastUsedAt, ended, reads } = connection
  const m = connectionsTexts
  const used = lastUsedAt ? `${m.lastUsed} ${showTime(lastUsedAt)}` : `${m.lastUsed}: ${m.never}`
  const powers = [
    ...(connection.mayPropose ? [m.powers.proposes] : []),
    ...(connection.hasSearch ? [m.powers.searches] : []),
  ]
  return {
    href: `/connections/${id}`,
    since: showTime(createdAt),
    text: (ended ? [m.ended, endedText(connection)] : [`${m.reads} ${reads}`, ...powers, used]).join(' · '),
    end: ended ? null : `/connections/${id}/revoke`,
  }
}

/** A power, and the form that switches it. */
interface PowerView {
  text: string
  state: string
  /** The field of the form. */
  name: 'propose' | 'search'
  value: 'yes' | 'no'
  label: string
}

function powersOf(
  { resource, ended, mayPropose, hasSearch }: ConnectionWithReads,
  config: Config,
): PowerView[] {
  if (ended || resource === 'api') return []
  const { on, off, switchOn, switchOff, search } = connectionsTexts.powers
  const view = (name: PowerView['name'], text: string, isOn = false): PowerView => ({
    ...{ name, text, state: isOn ? on : off, value: isOn ? 'no' : 'yes' },
    label: isOn ? switchOff(text) : switchOn(text),
  })
  return [
    ...(config.hasProposals ? [view('propose', consentTexts.mayPropose, mayPropose)] : []),
    view('search', search, hasSearch),
  ]
}

/** The parts of the page that depend on the connection alone. `ticked`: the scopes ticked in its form. */
export function connectionView(
  connection: ConnectionWithReads,
  ticked: readonly string[],
  config: Config,
  { calls, keepsActivity }: { calls: readonly number[]; keepsActivity: boolean },
) {
  const { id, scope, resource, ended } = connection
  const isApi = resource === 'api'
  const offered = scope.length > 1 && !ended ? offeredScopes(scope, ticked) : []
  return {
    here: 'connections' as const,
    connection: connectionHead(connection, calls, keepsActivity),
    ended: ended ? endedText(connection) : null,
    action: `/connections/${id}`,
    scopes: offered
      .filter(
        ({ name, required }) => !required && !(name === WRITE && resource !== 'api' && config.hasProposals),
      )
      .map(({ name, granted }) => ({ name, granted, text: describeScope(name, resource, config) })),
    powers: powersOf(connection, config),
    allSafes: isApi ? consentTexts.apiAllSafes : consentTexts.allSafes,
    onlyHint: isApi ? consentTexts.apiOnlyHint : connectionsTexts.onlyHint,
  }
}
