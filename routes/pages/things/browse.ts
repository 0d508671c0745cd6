import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../common/domain-error.js'
import { showNumber } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import type { ReadableSafe } from '../../../safes/safe.js'
import { TextField } from '../params.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { type BrowseQuery, browsePath, thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { type PassageView, passageView } from './passage-view.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    browse: BrowsePage
  }
}

interface BrowsePage extends Page {
  head: SafeHead
  title: string
  /** What is said before the list. */
  text: string | null
  /** What the search box says. */
  search: string
  things: ThingRow[] | null
  relations: RelationRow[] | null
  passages: PassageView[] | null
  /** Ways to sort the things. */
  sorts: { label: string; href: string; isCurrent: boolean }[]
  /** Lists to go on from; on the first page. */
  lists: { title: string; items: CountedLink[]; all: { label: string; href: string } | null }[]
  /** Links to the next page and to the first one. */
  more: string | null
  first: string | null
  /** The thing whose relations or passages are listed. */
  subject: Link | null
  /** Where owners decide about duplicates; with all things. */
  duplicates: string | null
  /** Back to everything. */
  all: string | null
}

interface Link {
  name: string
  href: string
}

interface CountedLink extends Link {
  count: string
}

interface ThingRow extends Link {
  type: Link | null
  relations: string
  passages: string
}

interface RelationRow {
  subject: Link
  predicate: Link
  object: Link
  /** When it is true, as text. */
  times: string
  sources: Link[]
}

const ROWS = 50
const PASSAGES = 20
const LISTED = 20
const LISTED_WHOLE = 500

const SafeParams = Type.Object({ safeId: Type.String() })
/** A key can be as long as a name. */
const KeyField = TextField(4096)
const BrowseFields = Type.Object({
  type: Type.Optional(TextField()),
  relation: Type.Optional(TextField()),
  of: Type.Optional(KeyField),
  direction: Type.Optional(Type.Union([Type.Literal('out'), Type.Literal('in')])),
  source: Type.Optional(TextField()),
  search: Type.Optional(TextField()),
  passages: Type.Optional(Type.Literal('1')),
  about: Type.Optional(KeyField),
  mentioning: Type.Optional(KeyField),
  list: Type.Optional(Type.Union([Type.Literal('types'), Type.Literal('relations')])),
  sort: Type.Optional(Type.Union([Type.Literal('name'), Type.Literal('relations')])),
  after: Type.Optional(KeyField),
  after_object: Type.Optional(KeyField),
  after_period: Type.Optional(TextField()),
})

/** Everything in a Safe, as lists in pages. */
export default async function browsePages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId/browse',
    { schema: { params: SafeParams, querystring: BrowseFields } },
    async (request, reply) => {
      const { id } = accountOf(request)
      const safe = await app.safes.find(id, request.params.safeId)
      if (!safe) throw notFound('Safe')
      const lists = new Lists(app, id, safe)
      return reply.page('browse', await lists.page(request.query))
    },
  )
}

/** The lists of one Safe, as one account sees them. */
class Lists {
  readonly #app: FastifyInstance
  readonly #accountId: string
  readonly #safe: ReadableSafe
  readonly #path: string

  constructor(app: FastifyInstance, accountId: string, safe: ReadableSafe) {
    this.#app = app
    this.#accountId = accountId
    this.#safe = safe
    this.#path = `/safes/${safe.id}`
  }

  page(query: BrowseQuery): Promise<BrowsePage> {
    if (query.list !== undefined) return this.#wholeList(query.list)
    if (query.relation !== undefined) return this.#relations(query, query.relation)
    if (query.passages !== undefined) return this.#passages(query)
    if (query.source !== undefined) return this.#source(query, query.source)
    return this.#things(query)
  }

  async #things({ type, search = '', sort = 'name', after }: BrowseQuery): Promise<BrowsePage> {
    const m = messages.browse
    const name = search.trim()
    const asked = { ...(type ? { type } : {}), ...(name ? { search: name } : {}), sort, limit: ROWS }
    const things = await this.#app.safes.browse.things(this.#accountId, this.#safe.id, {
      ...asked,
      ...(after ? { after } : {}),
    })
    const shown = { type, search: name, sort: sort === 'name' ? undefined : sort }
    const isAll = !type && name === ''
    const none = name ? m.noName(name) : m.nothing
    return {
      ...this.#blank,
      title: name ? m.named(name) : type ? m.ofType(type) : m.allThings,
      text: things.items.length === 0 ? none : things.isCut ? m.manyNames : null,
      search: name,
      things: things.items.map(item => this.#thingRow(item)),
      sorts: (['name', 'relations'] as const).map(way => ({
        label: m.sorts[way],
        href: browsePath(this.#path, { ...shown, sort: way === 'name' ? undefined : way }),
        isCurrent: way === sort,
      })),
      lists: isAll && !after ? await this.#lists() : [],
      more: things.hasMore ? browsePath(this.#path, { ...shown, after: things.items.at(-1)?.key }) : null,
      first: after ? browsePath(this.#path, shown) : null,
      duplicates: isAll && this.#safe.role === 'owner' ? `${this.#path}/duplicates` : null,
      all: isAll ? null : browsePath(this.#path, {}),
    }
  }

  async #relations(
    { of: key, direction = 'out', after, after_object, after_period = '' }: BrowseQuery,
    relation: string,
  ): Promise<BrowsePage> {
    const m = messages.browse
    const asked = {
      predicate: relation,
      ...(key ? { key, direction } : {}),
      ...(after !== undefined && after_object !== undefined
        ? { after: [after, after_object, after_period] as const }
        : {}),
    }
    const found = await this.#app.safes.browse.relations(this.#accountId, this.#safe.id, {
      ...asked,
      limit: ROWS,
    })
    const shown = { relation, of: key, direction: key ? direction : undefined }
    return {
      ...this.#blank,
      title: key ? m.relationsOf(relation, key) : m.relations(relation),
      text: found.items.length === 0 ? m.noRelation : null,
      relations: found.items.map(({ subject, predicate, object, times, sources }) => ({
        subject: this.#link(subject),
        predicate: { name: predicate, href: browsePath(this.#path, { relation: predicate }) },
        object: this.#link(object),
        times,
        sources: sources.map(source => ({ name: source, href: browsePath(this.#path, { source }) })),
      })),
      more:
        found.hasMore && found.last
          ? browsePath(this.#path, {
              ...{ ...shown, after: found.last[0], after_object: found.last[1] },
              ...(found.last[2] === '' ? {} : { after_period: found.last[2] }),
            })
          : null,
      first: after === undefined ? null : browsePath(this.#path, shown),
      subject: key ? this.#about(key) : null,
      all: browsePath(this.#path, {}),
    }
  }

  async #passages({ about, mentioning, after }: BrowseQuery): Promise<BrowsePage> {
    const m = messages.browse
    const key = about ?? mentioning
    const row = /^([0-9]{1,15})\.([0-9]{1,15})$/.exec(after ?? '')
    const found = await this.#app.safes.browse.passages(this.#accountId, this.#safe.id, {
      ...(key ? { key, mentioning: about === undefined } : {}),
      ...(row ? { after: { importId: Number(row[1]), id: Number(row[2]) } } : {}),
      limit: PASSAGES,
    })
    const shown = { passages: '1' as const, about, mentioning }
    return {
      ...this.#blank,
      title: about ? m.passagesAbout(about) : mentioning ? m.passagesMentioning(mentioning) : m.allPassages,
      text: found.items.length === 0 ? m.noPassage : null,
      passages: found.items.map(passage => passageView(this.#path, passage)),
      more: found.hasMore && found.last ? browsePath(this.#path, { ...shown, after: found.last }) : null,
      first: after === undefined ? null : browsePath(this.#path, shown),
      subject: key ? this.#about(key) : null,
      all: browsePath(this.#path, {}),
    }
  }

  async #source({ after }: BrowseQuery, source: string): Promise<BrowsePage> {
    const m = messages.browse
    const asked = { source, limit: ROWS, ...(after ? { after } : {}) }
    const found = await this.#app.safes.browse.thingsFrom(this.#accountId, this.#safe.id, asked)
    const items = found?.items ?? []
    return {
      ...this.#blank,
      title: m.fromSource(source),
      text: found === null ? m.noSource : items.length === 0 ? m.nothing : null,
      things: items.map(item => this.#thingRow(item)),
      more: found?.hasMore ? browsePath(this.#path, { source, after: items.at(-1)?.key }) : null,
      first: after ? browsePath(this.#path, { source }) : null,
      all: browsePath(this.#path, {}),
    }
  }

  async #wholeList(list: 'types' | 'relations'): Promise<BrowsePage> {
    const m = messages.browse
    const contents = await this.#app.safes.browse.contents(this.#accountId, this.#safe.id, LISTED_WHOLE)
    const items = list === 'types' ? this.#types(contents.types) : this.#predicates(contents.predicates)
    const left = list === 'types' ? contents.moreTypes : contents.morePredicates
    return {
      ...this.#blank,
      title: m.lists[list],
      text: left > 0 ? m.others(left) : null,
      lists: [{ title: m.mostFrequent, items, all: null }],
      all: browsePath(this.#path, {}),
    }
  }

  /** The most frequent types and relations, and the newest files. */
  async #lists(): Promise<BrowsePage['lists']> {
    const m = messages.browse
    const [contents, imports] = await Promise.all([
      this.#app.safes.browse.contents(this.#accountId, this.#safe.id, LISTED),
      this.#app.safes.imports(this.#accountId, this.#safe.id, { limit: LISTED + 1 }),
    ])
    const all = (count: number, list: 'types' | 'relations') =>
      count > 0 ? { label: m.others(count), href: browsePath(this.#path, { list }) } : null
    const sources = imports.filter(({ status, merged }) => status === 'committed' && !merged).slice(0, LISTED)
    const files = [...new Map(sources.map(item => [item.source, item]))].map(([source, { counts }]) => ({
      name: source,
      href: browsePath(this.#path, { source }),
      count: showNumber(counts.entities),
    }))
    const passages = {
      name: m.allPassages,
      href: browsePath(this.#path, { passages: '1' }),
      count: showNumber(contents.counts.passages),
    }
    return [
      { title: m.lists.types, items: this.#types(contents.types), all: all(contents.moreTypes, 'types') },
      {
        title: m.lists.relations,
        items: this.#predicates(contents.predicates),
        all: all(contents.morePredicates, 'relations'),
      },
      {
        title: m.lists.sources,
        items: files,
        all: imports.length > LISTED ? { label: m.allFiles, href: `${this.#path}/files` } : null,
      },
      { title: m.lists.passages, items: contents.counts.passages > 0 ? [passages] : [], all: null },
    ].filter(({ items }) => items.length > 0)
  }

  #types(types: readonly { name: string; count: number }[]): CountedLink[] {
    return types.map(({ name, count }) => ({
      name,
      href: browsePath(this.#path, { type: name }),
      count: showNumber(count),
    }))
  }

  #predicates(predicates: readonly { name: string; count: number }[]): CountedLink[] {
    return predicates.map(({ name, count }) => ({
      name,
      href: browsePath(this.#path, { relation: name }),
      count: showNumber(count),
    }))
  }

  #thingRow(item: {
    key: string
    name: string
    type: string | null
    relations?: number
    passages?: number
  }): ThingRow {
    const { type, relations, passages } = item
    return {
      ...this.#link(item),
      type: type === null ? null : { name: type, href: browsePath(this.#path, { type }) },
      relations: relations === undefined ? '' : showNumber(relations),
      passages: passages === undefined ? '' : showNumber(passages),
    }
  }

  #about(key: string): Link {
    return this.#link({ key, name: messages.picture.back(key) })
  }

  #link({ key, name }: { key: string; name: string }): Link {
    return { name, href: thingPath(this.#path, key) }
  }

  get #blank(): BrowsePage {
    return {
      here: 'safes',
      head: safeHead(this.#safe, 'browse'),
      title: '',
      text: null,
      search: '',
      things: null,
      relations: null,
      passages: null,
      sorts: [],
      lists: [],
      more: null,
      first: null,
      subject: null,
      duplicates: null,
      all: null,
    }
  }
}
