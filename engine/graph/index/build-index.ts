import { Pause } from '../collections/pause.js'
import type { GraphSource, Succession } from '../model.js'
import { IndexBuilder } from './index-builder.js'
import { Layers } from './layers.js'
import type { SafeIndex } from './safe-index.js'
import { Workspace } from './workspace.js'

/** Builds the index of a Safe from its rows; yields to other requests about every 10 ms. */
export async function buildIndex(source: GraphSource): Promise<SafeIndex> {
  const layers = new Layers()
  await layers.read(source, new Pause())
  return indexOf(layers, (await source.succession?.()) ?? null)
}

/** Builds the index of a Safe from its rows as numbers. It does not depend on the order in which they were read. */
export async function indexOf(layers: Layers, succession: Succession | null): Promise<SafeIndex> {
  return { ...(await new IndexBuilder(layers, succession).build(new Pause())), workspace: new Workspace() }
}
