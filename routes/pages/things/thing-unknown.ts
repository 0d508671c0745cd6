import type { FastifyReply } from 'fastify'
import type { Named } from '../../../domain/safes/browse/browse.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import type { Page } from '../../../plugins/views.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { browsePath } from '../safes/safe-links.js'
import { type Link, linkTo } from './thing-link.js'

interface UnknownThingPage extends Page {
  head: SafeHead
  title: string
  text: string
  alike: Link[]
  browse: string
  ask: string
  safeName: string
}

/** Shows that several things have this name, or none. */
export function showUnknown(
  reply: FastifyReply,
  safe: ReadableSafe,
  name: string,
  { alike, exact }: { alike: Named[]; exact: boolean },
) {
  const m = thingsTexts.thing
  const safePath = `/safes/${safe.id}`
  return reply.code(exact ? 200 : 404).page<UnknownThingPage>('thing-unknown', {
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
