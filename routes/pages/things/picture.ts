import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { radial, svg } from '../../../engine/pictures/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { readableSafe } from '../own-safe.js'
import { KeyField, type RequestOf, SafeParams, type TypedApp } from '../params.js'
import { safeHead } from '../safes/safe-head.js'
import { thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { typeColours } from './type-colours.js'

const Picture = { params: SafeParams, querystring: Type.Object({ of: KeyField() }) }

/** A thing with two rings of its neighbourhood. `public/picture.js` shows this picture on the page of the thing. */
export default async function picturePage(app: TypedApp) {
  app.get('/safes/:safeId/picture', { schema: Picture }, showPicture)
}

async function showPicture(request: RequestOf<typeof Picture>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const found = await request.server.safes.browse.around(accountOf(request).id, safe.id, request.query.of)
  if (!found) throw notFound('thing')
  const { key, name, type, neighbours, chords, otherNeighbours } = found
  const head = safeHead(safe, 'things', false)
  const m = thingsTexts.picture
  const direct = neighbours.filter(({ of }) => of === null).length
  const further = neighbours.length - direct
  const text = m.and(
    thingsTexts.thing.picture(name, direct + otherNeighbours),
    further === 0 ? m.nothingWider : m.wider(further),
  )
  const href = thingPath(head.path, key)
  const picture = radial({
    centre: { name, type },
    neighbours: neighbours.map(({ key, ...neighbour }) => ({
      ...neighbour,
      href: thingPath(head.path, key),
    })),
    chords,
    others: otherNeighbours,
    othersHref: `${href}#relations`,
    colours: await typeColours(request.server.safes, accountOf(request).id, safe.id),
  })
  return reply.page('picture', {
    here: 'safes',
    head,
    title: m.title(name),
    text,
    picture: svg({ ...picture, title: text }),
    thing: { name: m.back(name), href },
    wider: null,
  })
}
