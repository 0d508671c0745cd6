import type { Format } from '../shared/format.js'
import { readParts } from '../shared/lines.js'
import { jsonItems } from '../tables/json-items.js'

/** A graph of Roam Research (JSON): each page a note, read like those of Logseq. */
export const roam: Format = {
  id: 'roam',
  title: 'Roam Research export (JSON)',
  extensions: ['json'],
  hasParts: true,
  begins:
    /^\[\s{0,20}\{\s{0,20}(?:"title"\s{0,5}:\s{0,5}"(?:[^"\\]|\\.){0,500}"\s{0,5},\s{0,20})?"(?:children|string|uid|create-time|edit-time|create-email|edit-email|:[a-z]{1,20}\/[a-z-]{1,20})"/,
  async *parse(bytes, file) {
    const { RoamPages } = await import('./roam-pages.js')
    yield* readParts(jsonItems(bytes), new RoamPages(file))
  },
}
