import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { askTexts } from '../../../views/texts/ask.js'
import { layoutTexts } from '../../../views/texts/layout.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'
import { documentsIn } from './documents-of-all.js'
import { completions } from './suggest-operators.js'

const Suggest = {
  querystring: Type.Object({ q: TextField(200), in: Type.Optional(TextField(64)) }),
}

interface Suggestion {
  name: string
  /** Its kind. */
  type: string
  href: string
}

/** Maximum suggestions, in all and of each kind. */
const MAX = 8
const [THINGS, DOCUMENTS, SAFES] = [4, 3, 2]
/** Safes whose documents are searched. */
const MAX_SAFES = 50
/** Pages found by their names. */
const PAGES = ['home', 'safes', 'activity', 'connections', 'account'] as const

/** The suggestions of the box at the top while typing: things, documents by any word of their names, Safes and pages. */
export default async function suggestEverythingRoute(app: TypedApp) {
  app.get('/suggest', { schema: Suggest }, suggest)
}

async function suggest(request: RequestOf<typeof Suggest>, reply: FastifyReply) {
  const text = request.query.q.trim()
  const names = text === '' ? [] : await suggestions(request, text)
  return reply
    .headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    .send({ names: names.slice(0, MAX) })
}

async function suggestions(request: RequestOf<typeof Suggest>, text: string): Promise<Suggestion[]> {
  const { safes } = request.server
  const { id } = accountOf(request)
  const within = request.query.in ? await safes.find(id, request.query.in) : null
  const readable = within ? [within] : await safes.readableBy(id, { limit: MAX_SAFES })
  const completed = await completions(request, id, readable, text)
  if (completed) return completed
  const words = text.split(/\s+/).filter(Boolean)
  const [things, documents] = await Promise.all([
    within ? thingsIn(request, within, text) : thingsAnywhere(request, text),
    documentsIn(request, readable, { words, limit: DOCUMENTS }),
  ])
  const letters = text.toLowerCase()
  const named = readable.filter(({ name }) => !within && name.toLowerCase().includes(letters)).slice(0, SAFES)
  const m = askTexts.suggestions
  return [
    ...things.slice(0, THINGS),
    ...documents.slice(0, DOCUMENTS).map(({ name, path, href }) => ({ name, type: path, href })),
    ...named.map(safe => ({ name: safe.name, type: m.safe, href: `/safes/${safe.id}` })),
    ...PAGES.filter(page => layoutTexts[page].toLowerCase().startsWith(letters)).map(page => ({
      name: layoutTexts[page],
      type: m.page,
      href: page === 'home' ? '/' : `/${page}`,
    })),
  ]
}

async function thingsIn(request: RequestOf<typeof Suggest>, { id }: ReadableSafe, text: string) {
  const found = await request.server.safes.browse.suggest(accountOf(request).id, id, text, THINGS)
  return found.map(({ key, name, type }) => ({
    name,
    type: type ?? askTexts.suggestions.thing,
    href: thingPath(`/safes/${id}`, key),
  }))
}

async function thingsAnywhere(request: RequestOf<typeof Suggest>, text: string) {
  const found = await request.server.safes.questions.search(accountOf(request).id, text, {
    groups: THINGS,
    limit: THINGS,
  })
  return found.things.flatMap(({ safe, things }) =>
    things.map(({ key, name }) => ({ name, type: safe.name, href: thingPath(`/safes/${safe.id}`, key) })),
  )
}
