import { join } from 'node:path'
import { ContentStore } from '../../domain/safes/stores/content.sql.js'
import type { GraphSource } from '../../engine/graph/model.js'
import { openDatabase } from '../../platform/storage/open-database.js'
import { sqliteDriver } from '../../platform/storage/sqlite/load-driver.js'
import type { Graph } from './rows.js'

/** The rows of a graph in the product's own database, written without the import, which is measured elsewhere. */
export async function stored(
  folder: string,
  graph: Graph,
): Promise<{ source: GraphSource; close(): Promise<void> }> {
  const database = await openDatabase({ dataDir: folder, role: 'cli' })
  const writer = (await sqliteDriver()).open(join(folder, 'svc.db'), 5000)
  writer.exec('pragma foreign_keys = off')
  const insert = {
    entities: writer.prepare(
      'insert or ignore into entities (safe_id, import_id, key, name, type) values (?, 1, ?, ?, ?)',
    ),
    aliases: writer.prepare(
      'insert or ignore into aliases (safe_id, import_id, entity_key, alias) values (?, 1, ?, ?)',
    ),
    passages: writer.prepare(
      'insert into passages (safe_id, import_id, id, entity_key, title, text) values (?, 1, ?, ?, ?, ?)',
    ),
    relations: writer.prepare(
      'insert into relations (safe_id, import_id, id, subject_key, predicate, object_key) values (?, 1, ?, ?, ?, ?)',
    ),
  }
  for await (const { entities, aliases, passages, relations } of graph.batches) {
    writer.exec('begin')
    for (const row of entities) insert.entities.run(['s', row.key, row.name, row.type])
    for (const row of aliases) insert.aliases.run(['s', row.entityKey, row.alias])
    for (const row of passages) insert.passages.run(['s', row.id, row.entityKey, row.title, row.text])
    for (const row of relations)
      insert.relations.run(['s', row.id, row.subjectKey, row.predicate, row.objectKey])
    writer.exec('commit')
  }
  writer.close()
  return { source: new ContentStore(database).source('s', [[1, 1]]), close: () => database.close() }
}
