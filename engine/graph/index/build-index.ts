import { Pause } from '../collections/pause.js'
import type { GraphSource, Succession } from '../model.js'
import { IndexBuilder } from './index-builder.js'
import { Layers } from './layers.js'
import type { BuiltFrom, SafeIndex } from './safe-index.js'
import { type Gone, withPart } from './with-part.js'
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

/**
 * The index with the rows of `added`, and without those of imports that are `gone`, as `withPart`. Null if all rows must be
 * read: also when what was merged (ADR 56) has changed.
 */
export async function indexWith(
  before: SafeIndex,
  added: Layers,
  gone: Gone,
  built: BuiltFrom,
): Promise<SafeIndex | null> {
  if ([...added.identities].length > 0 || before.built.identifying.some(id => gone.imports.has(id)))
    return null
  const pause = new Pause()
  const part = { ...(await new IndexBuilder(added, null, before).build(pause)), workspace: before.workspace }
  return withPart(before, part, gone, built, pause)
}
