import type { ThingPage as Thing } from '../../../domain/safes/browse/browse.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { radial, svg } from '../../../engine/pictures/index.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { safeHead } from '../safes/safe-head.js'
import { browsePath, picturePath, thingPath } from '../safes/safe-links.js'
import { passageViews } from './passage-view.js'
import { relationGroup } from './relation-table.js'
import type { Colours } from './type-colours.js'

/** The page of a thing, without requests and changes. */
export async function thingPage(safe: ReadableSafe, thing: Thing, colours: Colours) {
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
    edit: safe.role === 'owner' ? editForms(safePath, thing) : null,
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
    suggestUrl: `${safePath}/suggest`,
  }
}

/** Merged things often have the same name in another spelling. */
function otherNames({ name, aliases, merged }: Thing): string[] {
  const names = new Set([...aliases, ...merged.map(({ name }) => name)])
  names.delete(name)
  return [...names]
}

const editForms = (safePath: string, { key, name, merged }: Thing) => ({
  action: `${safePath}/names`,
  key,
  mergeHint: thingsTexts.thing.mergeHint(name),
  merged,
})
