import { posix } from 'node:path'
import type { ZipParts } from '../shared/zip-parts.js'

/** A relationship of a part of an Office document (ECMA-376-2 §6.5). */
export interface Relation {
  id: string
  /** The last word of its type: `slide`, `hyperlink`. */
  type: string
  /** A path in the document, or an external address. */
  target: string
  isOutside: boolean
}

/** The relationships of a part to existing parts and to addresses. @param path empty for the package itself */
export async function relationsOf(parts: ZipParts, path: string): Promise<Relation[]> {
  const folder = posix.dirname(path)
  const rels = posix.join(folder, '_rels', `${posix.basename(path)}.rels`)
  return (await parts.elements(rels)).flatMap(({ name, attributes }) => {
    const { Id: id = '', Type = '', Target = '', TargetMode } = attributes
    const isOutside = TargetMode === 'External'
    const inside = Target.startsWith('/') ? posix.normalize(Target.slice(1)) : posix.join(folder, Target)
    // Some programs repeat the folder.
    const target = isOutside ? Target : inside.replace(/^(xl|word|ppt)\/\1\//, '$1/')
    if (name !== 'Relationship' || (!isOutside && !parts.has(target))) return []
    return [{ id, type: Type.slice(Type.lastIndexOf('/') + 1), target, isOutside }]
  })
}

/** The external addresses by relationship id. */
export const addressesOf = (relations: readonly Relation[]): ReadonlyMap<string, string> =>
  new Map(relations.filter(({ isOutside }) => isOutside).map(({ id, target }) => [id, target]))
