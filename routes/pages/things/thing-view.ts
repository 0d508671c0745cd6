import type { Named, ThingPage as Thing } from '../../../domain/safes/browse/browse.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { radial, svg } from '../../../engine/pictures/index.js'
import type { Page } from '../../../plugins/views.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { browsePath, picturePath, thingPath } from '../safes/safe-links.js'
import type { ChangeNotice } from './change-notice.js'
import { type PassageView, passageViews } from './passage-view.js'
import { type RelationGroup, relationGroup } from './relation-table.js'
import type { Link } from './thing-link.js'
import type { ReadsView } from './thing-reads.js'
import type { Colours } from './type-colours.js'

export interface ThingPage extends Page {
  head: SafeHead
  name: string
  path: string
  type: Link | null
  /** Its other names, and those of things that were merged into it. */
  aliases: string[]
  done: ChangeNotice | null
  /** Owners' actions. */
  edit: EditForms | null
  /** The values of a rejected change. */
  typed: { merge?: string; alias?: string }
  reads: ReadsView | null
  /** SVG; null without neighbours. */
  picture: string | null
  /** The same picture with a second ring; null without neighbours. */
  wider: string | null
  size: string
  kinds: RelationGroup[]
  moreKinds: string | null
  about: PassageView[]
  allAbout: Link | null
  mentions: PassageView[]
  allMentions: Link | null
  /** The target of the requested path. */
  to: string
  suggestUrl: string
  paths: { pictures: string[]; text: string } | null
  /** Names similar to the target of the requested path. */
  alike: Link[]
}

interface EditForms {
  action: string
  key: string
  mergeHint: string
  /** Things that were merged into it. */
  merged: Named[]
}

/** The page of a thing, without requests and changes. */
export async function thingPage(safe: ReadableSafe, thing: Thing, colours: Colours): Promise<ThingPage> {
  const m = thingsTexts.thing
  const safePath = `/safes/${safe.id}`
  const { key, name, type, neighbours, chords, otherNeighbours } = thing
  const picture = radial({
    centre: { name, type },
    neighbours: neighbours.map(({ key, ...neighbour }) => ({ ...neighbour, href: thingPath(safePath, key) })),
    chords,
    others: otherNeighbours,
    othersHref: '#relations',
    colours,
  })
  const pictureText = m.picture(name, neighbours.length + otherNeighbours)
  return {
    here: 'safes',
    head: safeHead(safe, 'things', false),
    name,
    path: thingPath(safePath, key),
    type: type === null ? null : { name: type, href: browsePath(safePath, { type }) },
    aliases: otherNames(thing),
    done: null,
    edit: safe.role === 'owner' ? editForms(safePath, thing) : null,
    typed: {},
    reads: null,
    picture: neighbours.length === 0 ? null : svg({ ...picture, title: pictureText }),
    wider: neighbours.length === 0 ? null : picturePath(safePath, key),
    size: m.relationCount(thing.relationCount),
    kinds: thing.kinds.map(kind => relationGroup(safePath, key, kind)),
    moreKinds: thing.moreKinds > 0 ? m.moreKinds(thing.moreKinds) : null,
    about: await passageViews(safePath, thing.about.items),
    allAbout: thing.about.hasMore
      ? { name: m.allAbout(thing.aboutCount), href: browsePath(safePath, { passages: '1', about: key }) }
      : null,
    mentions: await passageViews(safePath, thing.mentions.items),
    allMentions: thing.mentions.hasMore
      ? { name: m.allMentions, href: browsePath(safePath, { passages: '1', mentioning: key }) }
      : null,
    to: '',
    suggestUrl: `${safePath}/suggest`,
    paths: null,
    alike: [],
  }
}

/** Merged things often have the same name in another spelling. */
function otherNames({ name, aliases, merged }: Thing): string[] {
  const names = new Set([...aliases, ...merged.map(({ name }) => name)])
  names.delete(name)
  return [...names]
}

const editForms = (safePath: string, { key, name, merged }: Thing): EditForms => ({
  action: `${safePath}/names`,
  key,
  mergeHint: thingsTexts.thing.mergeHint(name),
  merged,
})
