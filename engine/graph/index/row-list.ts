import { Uint32List } from '../collections/uint32-list.js'
import type { RowRef } from '../model.js'
import type { RowTable } from './safe-index.js'

/** Collects the rows of items, numbered from 0 in order of arrival, for a `RowTable`. */
export class RowList {
  /** Import id → its position in `imports`. */
  readonly #imports = new Map<number, number>()
  readonly #layer = new Uint32List()
  readonly #id = new Uint32List()
  /** Item, layer and id of rows that repeat an earlier statement. */
  readonly #more: [number, number, number][] = []

  add(thing: number, { importId, id }: RowRef): void {
    const layer = this.#layerOf(importId)
    if (thing < this.#id.length) {
      this.#more.push([thing, layer, id])
      return
    }
    this.#layer.push(layer)
    this.#id.push(id)
  }

  /** Builds the table with the items reordered: `order[new number]` is the old one. */
  build(order: Uint32Array): RowTable {
    const place = new Uint32Array(order.length)
    for (let at = 0; at < order.length; at++) place[order[at] ?? 0] = at
    const more = this.#more
      .map(([thing, layer, id]) => [place[thing] ?? 0, layer, id] as const)
      .sort((a, b) => a[0] - b[0])
    const ArrayType = this.#imports.size > 0x1_0000 ? Uint32Array : Uint16Array
    return {
      imports: Uint32Array.from(this.#imports.keys()),
      layer: ArrayType.from(this.#layer.reordered(order)),
      id: this.#id.reordered(order),
      more: Uint32Array.from(more, ([thing]) => thing),
      moreLayer: ArrayType.from(more.map(([, layer]) => layer)),
      moreId: Uint32Array.from(more, ([, , id]) => id),
    }
  }

  #layerOf(importId: number): number {
    const known = this.#imports.get(importId)
    if (known !== undefined) return known
    this.#imports.set(importId, this.#imports.size)
    return this.#imports.size - 1
  }
}
