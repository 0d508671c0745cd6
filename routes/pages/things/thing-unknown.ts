import type { FastifyReply } from 'fastify'
import type { NamedThing } from '../../../domain/safes/browse/browse.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { safeHead } from '../safes/safe-head.js'
import { browsePath } from '../safes/safe-links.js'
import { linkTo } from './thing-link.js'

/** Shows that several things have this name, or none. */
export function showUnknown(
  reply: FastifyReply,
  safe: ReadableSafe,
  name: string,
  { alike, exact }: { alike: NamedThing[]; exact: boolean },
) {
  const m = thingsTexts.thing
  const safePath = `/safes/${safe.id}`
  return reply.code(exact ? 200 : 404).page('thing-unknown', {
    here: 'safes',
    head: safeHead(safe, 'things', false),
    title: exact ? m.several(name) : m.unknown,
    text: exact ? m.severalText : m.unknownText(name),
    alike: alike.map(named => linkTo(safePath, named)),
    browse: browsePath(safePath, {}),
    ask: safePath,
    safeName: safe.name,
  })
}
