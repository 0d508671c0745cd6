import { Pause } from '../collections/pause.js'
import type { GraphSource } from '../model.js'
import { Identities } from './identities.js'
import { IndexBuilder } from './index-builder.js'
import type { SafeIndex } from './safe-index.js'
import { Workspace } from './workspace.js'

/** Builds the index of a Safe from its rows; yields to other requests about every 10 ms. */
export async function buildIndex(source: GraphSource): Promise<SafeIndex> {
  const identities = new Identities()
  const pause = new Pause()
  await each(source.identities(), pause, row => identities.add(row))
  const builder = new IndexBuilder(identities.resolve(), (await source.succession?.()) ?? null)
  await each(source.entities(), pause, row => builder.addEntity(row))
  await each(source.aliases(), pause, row => builder.addAlias(row))
  await each(source.relations(), pause, row => builder.addRelation(row))
  await builder.endNames(pause)
  await each(source.passages(), pause, row => builder.addPassage(row))
  return { ...(await builder.build(pause)), workspace: new Workspace() }
}

async function each<Row>(pages: AsyncIterable<Row[]>, pause: Pause, add: (row: Row) => void): Promise<void> {
  for await (const rows of pages) {
    for (const row of rows) {
      add(row)
      if (pause.due()) await pause.rest()
    }
  }
}
