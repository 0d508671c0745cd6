import type { GraphSource } from '../../graph/model.js'
import { terms, words } from '../../graph/text/text.js'
import { sqliteDriver } from '../../storage/sqlite/load-driver.js'

export type Search = (question: string) => unknown

/** Facts and passages as texts, for search engines that know no graph. */
async function* texts(source: GraphSource): AsyncGenerator<{ id: number; text: string }> {
  let id = 0
  for await (const rows of source.relations()) {
    for (const { subjectKey, predicate, objectKey } of rows)
      yield { id: id++, text: `${subjectKey} ${predicate} ${objectKey}` }
  }
  for await (const rows of source.passages()) {
    for (const { title, text } of rows) yield { id: id++, text: `${title} ${text}` }
  }
}

/** SQLite FTS5: any word of the question, best ten by its BM25. */
export async function fts5(source: GraphSource): Promise<Search> {
  const db = (await sqliteDriver()).open(':memory:', 0)
  db.exec("create virtual table t using fts5(text, content='', tokenize='porter unicode61')")
  const insert = db.prepare('insert into t (rowid, text) values (?, ?)')
  db.exec('begin')
  for await (const { id, text } of texts(source)) insert.run([id + 1, text])
  db.exec('commit')
  const select = db.prepare('select rowid from t where t match ? order by rank limit 10')
  return question => select.all([[...new Set(contentWords(question))].map(word => `"${word}"`).join(' OR ')])
}

/** MiniSearch: any word of the question, with prefixes off and the product's stems. */
export async function miniSearch(source: GraphSource): Promise<Search> {
  const { default: MiniSearch } = await import('minisearch')
  const index = new MiniSearch({
    fields: ['text'],
    tokenize: (text: string) => terms(text),
    processTerm: (term: string) => term,
  })
  for await (const document of texts(source)) index.add(document)
  return question => index.search(question).slice(0, 10)
}

function contentWords(question: string): string[] {
  const content = words(question).filter(word => terms(word).length > 0)
  return content.length > 0 ? content : ['x']
}
