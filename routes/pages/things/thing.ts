import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../../common/domain-error.js'
import { messages } from '../../../messages.js'
import { pathChain } from '../../../pictures/path-chain.js'
import { radial } from '../../../pictures/radial.js'
import { svg } from '../../../pictures/svg.js'
import { wantsPage } from '../../../plugins/errors.js'
import type { Page } from '../../../plugins/views.js'
import type { BrowsedRelation, Named, ThingPage as Thing } from '../../../safes/browse/browse.js'
import type { ReadableSafe } from '../../../safes/safe.js'
import { TextField } from '../forms.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { browsePath, picturePath, thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { type ChangeNotice, changeNotice, DONE_PATTERN } from './change-notice.js'
import { type PassageView, passageView } from './passage-view.js'
import { type ReadsView, readsView } from './thing-reads.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    thing: ThingPage
    'thing-unknown': UnknownThingPage
  }
}

interface Link {
  name: string
  href: string
}

interface ThingPage extends Page {
  head: SafeHead
  name: string
  path: string
  type: Link | null
  /** Its other names, and those of things that were merged into it. */
  aliases: string[]
  done: ChangeNotice | null
  /** What owners can change. */
  edit: EditForms | null
  /** What a rejected change contained. */
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
  /** The name that a path is asked for. */
  to: string
  suggestUrl: string
  paths: { pictures: string[]; text: string } | null
  /** Names like the one that a path was asked for. */
  alike: Link[]
}

interface EditForms {
  action: string
  key: string
  mergeHint: string
  /** Things that were merged into it. */
  merged: Named[]
}

interface RelationGroup {
  predicate: string
  /** Whether the relations lead to the thing. */
  isIncoming: boolean
  href: string
  rows: RelationTableRow[]
  /** All relations of this group, if they are not all shown. */
  all: Link | null
}

/** A row of the table: a relation, or those that newer ones have taken the place of. */
type RelationTableRow = RelationRow & { earlier: null | { label: string; relations: RelationRow[] } }

interface RelationRow {
  other: Link
  /** When it is true, as text. */
  times: string
  sources: Link[]
}

interface UnknownThingPage extends Page {
  head: SafeHead
  title: string
  text: string
  alike: Link[]
  browse: string
  ask: string
  safeName: string
}

const ThingParams = Type.Object({ safeId: Type.String(), '*': TextField(4096) })
const SafeParams = Type.Object({ safeId: Type.String() })
const ThingQuery = Type.Object({
  to: Type.Optional(TextField()),
  done: Type.Optional(Type.String({ pattern: DONE_PATTERN })),
})
const NameQuery = Type.Object({ name: TextField() })

/** A page about each thing of a Safe. The wildcard accepts keys of any length and with slashes. */
export default async function thingPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  /** A name from a form: jumps to the thing, or lists the names that begin like it. */
  app.get(
    '/safes/:safeId/things',
    { schema: { params: SafeParams, querystring: NameQuery } },
    async (request, reply) => {
      const { safeId } = request.params
      const name = request.query.name.trim()
      const safePath = `/safes/${safeId}`
      if (name === '') return reply.redirect(`${safePath}/browse`, 303)
      const thing = await app.safes.browse.thing(accountOf(request).id, safeId, name)
      const isOne = thing.key !== null
      return reply.redirect(
        isOne ? thingPath(safePath, thing.key) : browsePath(safePath, { search: name }),
        303,
      )
    },
  )

  app.get(
    '/safes/:safeId/things/*',
    { schema: { params: ThingParams, querystring: ThingQuery } },
    (request, reply) =>
      showThing(app, request, reply, request.params.safeId, request.params['*'], request.query),
  )
}

interface Shown {
  to?: string
  done?: string
  error?: string
  typed?: { merge?: string; alias?: string }
}

export async function showThing(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  safeId: string,
  key: string,
  { to: end = '', done, error, typed = {} }: Shown,
) {
  const { id } = accountOf(request)
  const safe = await app.safes.find(id, safeId)
  if (!safe) throw notFound('Safe')
  const safePath = `/safes/${safeId}`
  const thing = await app.safes.browse.thing(id, safeId, key)
  if (thing.key === null) {
    if (!thing.exact && !wantsPage(request)) throw notFound('thing')
    return showUnknown(reply, safe, key, thing)
  }
  if (thing.key !== key && error === undefined) return reply.redirect(thingPath(safePath, thing.key), 303)
  const to = end.trim()
  const found = to === '' ? null : await app.safes.browse.path(id, safeId, thing.key, to)
  return reply.page('thing', {
    ...thingPage(safe, thing),
    reads: readsView(safePath, await app.activity.readsOf(id, safeId, thing.name)),
    to,
    paths: found && {
      pictures: found.paths.map(path => svg(pathChain(withLinks(safePath, path)))),
      text: pathText(found, thing.name, to),
    },
    alike: (found?.alike ?? []).map(named => linkTo(safePath, named)),
    done: await changeNotice(app, id, safe, done),
    typed,
    error,
  })
}

type Found = Awaited<ReturnType<FastifyInstance['safes']['browse']['path']>>

function pathText({ paths, complete, alike }: Found, from: string, to: string): string {
  const m = messages.thing
  if (alike !== null) return m.unknownEnd(to)
  if (paths.length === 0) return complete ? m.noPath(from, to) : m.noPathFound(from, to)
  return m.pathsFound(paths.length, paths[0]?.steps.length ?? 0)
}

function withLinks(safePath: string, { things, steps }: Found['paths'][number]) {
  return {
    things: things.map(({ key, name, type }) => ({ name, type, href: thingPath(safePath, key) })),
    steps,
  }
}

function thingPage(safe: ReadableSafe, thing: Thing): ThingPage {
  const m = messages.thing
  const safePath = `/safes/${safe.id}`
  const { key, name, type, neighbours, chords, otherNeighbours } = thing
  const picture = radial({
    centre: { name, type },
    neighbours: neighbours.map(({ key, ...neighbour }) => ({ ...neighbour, href: thingPath(safePath, key) })),
    chords,
    others: otherNeighbours,
    othersHref: '#relations',
  })
  const pictureText = m.picture(name, neighbours.length + otherNeighbours)
  return {
    here: 'safes',
    head: safeHead(safe, 'browse', false),
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
    about: thing.about.items.map(passage => passageView(safePath, passage)),
    allAbout: thing.about.hasMore
      ? { name: m.allAbout(thing.aboutCount), href: browsePath(safePath, { passages: '1', about: key }) }
      : null,
    mentions: thing.mentions.items.map(passage => passageView(safePath, passage)),
    allMentions: thing.mentions.hasMore
      ? { name: m.allMentions, href: browsePath(safePath, { passages: '1', mentioning: key }) }
      : null,
    to: '',
    suggestUrl: `${safePath}/suggest`,
    paths: null,
    alike: [],
  }
}

/** Merged things often have the same name, written otherwise. */
function otherNames({ name, aliases, merged }: Thing): string[] {
  const names = new Set([...aliases, ...merged.map(({ name }) => name)])
  names.delete(name)
  return [...names]
}

const editForms = (safePath: string, { key, name, merged }: Thing): EditForms => ({
  action: `${safePath}/names`,
  key,
  mergeHint: messages.thing.mergeHint(name),
  merged,
})

function relationGroup(safePath: string, key: string, kind: Thing['kinds'][number]): RelationGroup {
  const { predicate, direction, count, relations } = kind
  const isIncoming = direction === 'in'
  const all = browsePath(safePath, { relation: predicate, of: key, direction })
  return {
    predicate: relations[0]?.predicate ?? predicate,
    isIncoming,
    href: browsePath(safePath, { relation: predicate }),
    rows: rowsOf(relations, ({ subject, object, times, sources }) => ({
      other: linkTo(safePath, isIncoming ? subject : object),
      times,
      sources: sources.map(source => ({ name: source, href: browsePath(safePath, { source }) })),
    })),
    all: count > relations.length ? { name: messages.thing.allOfKind(count), href: all } : null,
  }
}

/** What is superseded comes last, in one row. */
function rowsOf(
  relations: readonly BrowsedRelation[],
  rowOf: (relation: BrowsedRelation) => RelationRow,
): RelationTableRow[] {
  const rows = relations.filter(({ isSuperseded }) => !isSuperseded).map(rowOf)
  const earlier = relations.filter(({ isSuperseded }) => isSuperseded).map(rowOf)
  const [first] = earlier
  const shown = rows.map(row => ({ ...row, earlier: null }))
  if (!first) return shown
  return [
    ...shown,
    { ...first, earlier: { label: messages.thing.earlier(earlier.length), relations: earlier } },
  ]
}

const linkTo = (safePath: string, { key, name }: Named): Link => ({ name, href: thingPath(safePath, key) })

function showUnknown(
  reply: FastifyReply,
  safe: ReadableSafe,
  name: string,
  { alike, exact }: { alike: Named[]; exact: boolean },
) {
  const m = messages.thing
  const safePath = `/safes/${safe.id}`
  return reply.code(exact ? 200 : 404).page('thing-unknown', {
    here: 'safes',
    head: safeHead(safe, 'browse', false),
    title: exact ? m.several(name) : m.unknown,
    text: exact ? m.severalText : m.unknownText(name),
    alike: alike.map(named => linkTo(safePath, named)),
    browse: browsePath(safePath, {}),
    ask: safePath,
    safeName: safe.name,
  })
}
