import type { Duplicate } from '../../../domain/safes/identity/identity.js'
import { likenessText } from '../../../domain/safes/identity/likeness-text.js'
import { amount } from '../../../domain/safes/size-text.js'
import type { Page } from '../../../plugins/views.js'
import { thingsTexts } from '../../../views/texts/things.js'
import type { SafeHead } from '../safes/safe-head.js'
import { thingPath } from '../safes/safe-links.js'
import type { ChangeNotice } from './change-notice.js'

/** The view model of `views/duplicates.eta`. */
export interface DuplicatesPage extends Page {
  head: SafeHead
  path: string
  /** Whether the search is still running. */
  isBusy: boolean
  pairs: PairView[]
  /** The number of pairs. */
  count: string | null
  more: string | null
  first: string | null
  done: ChangeNotice | null
  /** Two things that were just marked as different. */
  apart: { one: string; other: string } | null
}

interface PairView {
  title: string
  why: string
  /** The first pair of the page, so that the same page is shown after the decision. */
  from: number
  /** With their known details: "person · 3 relations · 1 passage". */
  things: { key: string; name: string; href: string; facts: string }[]
  common: { name: string; href: string }[]
  moreCommon: string | null
}

/** Two things that may be the same. `from`: the first pair of the page. */
export function pairView(
  safePath: string,
  { one, other, how, common, commonCount }: Duplicate,
  from: number,
): PairView {
  const m = thingsTexts.duplicates
  return {
    title: m.pair(one.name, other.name),
    why: likenessText(how, commonCount),
    from,
    things: [one, other].map(({ key, name, type, relations, passages }) => ({
      ...{ key, name, href: thingPath(safePath, key) },
      facts: [...(type === null ? [] : [type]), amount.relations(relations), amount.passages(passages)].join(
        ' · ',
      ),
    })),
    common: common.map(({ key, name }) => ({ name, href: thingPath(safePath, key) })),
    moreCommon: commonCount > common.length ? m.more(commonCount - common.length) : null,
  }
}
