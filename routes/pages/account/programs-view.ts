import type { ListedConnection } from '../../../domain/oauth/connections/access.js'
import { showTime } from '../../../platform/common/format.js'
import type { Page } from '../../../plugins/views.js'
import { accountTexts } from '../../../views/texts/account.js'
import type { SafeChoice } from '../connections/safe-choice.js'

/** The access of a program: MCP, or the HTTP API without or with adding files to Safes. */
export const REACHES = ['mcp', 'api', 'fill'] as const

/** The values of the form's fields. */
export interface Entered {
  name: string
  days: number
  reach: (typeof REACHES)[number]
  propose: boolean
}

export interface ProgramsPage extends Page {
  /** The program that was just created, with its token, which is shown once. */
  made: { name: string; token: string; expiresAt: number; connectionId: string; isApi: boolean } | null
  programs: { name: string; href: string; facts: string; end: string }[]
  entered: Entered
  safeChoice: SafeChoice
  hasProposals: boolean
}

/** A program in the list. */
export function programRow(
  connection: ListedConnection & { reads: string },
): ProgramsPage['programs'][number] {
  const m = accountTexts.programs
  const { id, clientName, reads, lastUsedAt } = connection
  return {
    name: clientName,
    href: `/connections/${id}`,
    facts: [reads, lastUsedAt === null ? m.unused : m.lastUsed(showTime(lastUsedAt))].join(' · '),
    end: `/connections/${id}/revoke`,
  }
}
