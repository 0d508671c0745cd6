import type { ReadableSafe, Role } from '../../../domain/safes/safe.js'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import { safesTexts } from '../../../views/texts/safes.js'

/** The head of every page of a Safe: its name, its size and its tabs (`views/parts/safe-tabs.eta`). */
export interface SafeHead {
  id: string
  name: string
  path: string
  /** "46 things · 91 relations · 51 passages". */
  size: string
  isOwn: boolean
  /** Whether the name is the heading of the page. Pages below a tab have a heading of their own. */
  isHeading: boolean
  tabs: { href: string; label: string; isCurrent: boolean }[]
}

type SafeTab = 'overview' | 'documents' | 'things' | 'share' | 'settings'

const TABS: readonly { tab: SafeTab; path: string; role: Role }[] = [
  { tab: 'overview', path: '', role: 'reader' },
  { tab: 'documents', path: '/documents', role: 'reader' },
  { tab: 'things', path: '/browse', role: 'reader' },
  { tab: 'share', path: '/share', role: 'owner' },
  { tab: 'settings', path: '/settings', role: 'reader' },
]

/** Readers see the tabs of pages that they may use. `isHeading` is false for a page below a tab. */
export function safeHead(
  { id, name, role, counts }: ReadableSafe,
  current: SafeTab,
  isHeading = true,
): SafeHead {
  const path = `/safes/${id}`
  const isOwn = role === 'owner'
  const tabs = TABS.filter(tab => isOwn || tab.role === 'reader').map(tab => ({
    href: path + tab.path,
    label: safesTexts.tabs[tab.tab],
    isCurrent: tab.tab === current,
  }))
  return { id, name, path, size: sizeTexts(counts).join(' · '), isOwn, isHeading, tabs }
}
