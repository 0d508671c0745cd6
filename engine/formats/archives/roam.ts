import type { Parsed } from '../../graph/index.js'
import { listOf, parsedMembers, textOf } from '../shared/conversation.js'
import type { Format } from '../shared/format.js'
import { inBatches } from '../shared/lines.js'
import { jsonItems } from '../tables/json-items.js'
import { PartTitles } from './part-titles.js'

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
    const pages = new RoamPages(file ?? { path: 'roam.json' }, new PartTitles())
    for await (const items of jsonItems(bytes)) {
      for (const item of items) yield* 'problem' in item ? [[item]] : batchesOf(pages, item.line, item.text)
      // Even when empty, so that the caller can yield to other work.
      yield []
    }
  },
}

function* batchesOf(
  pages: { read(line: number, page: Record<string, unknown>): Parsed[] },
  line: number,
  text: string,
): Generator<Parsed[]> {
  const page = parsedMembers(text)
  if (!page) return yield [{ line, problem: 'This page is not JSON.' }]
  if (textOf(page.title).trim() === '' && listOf(page.children).length === 0) return
  yield* inBatches(pages.read(line, page))
}
