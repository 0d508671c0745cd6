import { Uint32List } from '../collections/uint32-list.js'
import type { RowRef } from '../model.js'
import { type RowTable, rowsOf } from './safe-index.js'

/** Collects the rows of items, numbered from 0 in order of arrival, for a `RowTable`. */
export class RowList {
  /** Import ids, and for each its position. */
  readonly #imports: number[] = []
  readonly #layers = new Map<number, number>()
  readonly #layer = new Uint32List()
  readonly #id = new Uint32List()
  /** Item, layer and id of rows that repeat an earlier statement. */
  readonly #more: [number, number, number][] = []

  /**
   * @param before a table whose rows are added with `addLeft`
   * @param behind imports whose rows follow those, even if they had rows before
   */
  constructor(before?: RowTable, behind: Iterable<number> = []) {
    for (const importId of before?.imports ?? []) this.#layers.set(importId, this.#imports.push(importId) - 1)
    for (const importId of behind) this.#layers.delete(importId)
  }

  add(thing: number, { importId, id }: RowRef): void {
    const layer = this.#layerOf(importId)
    if (thing < this.#id.length) {
      this.#more.push([thing, layer, id])
      return
    }
    this.#layer.push(layer)
    this.#id.push(id)
  }

  /** Adds all items of the table before, without further rows of layers that are gone, except for items that are `gone` as a whole. */
  addAllLeft({ layer, id, more, moreLayer, moreId }: RowTable, isGone: Uint8Array, gone: Uint8Array): void {
    this.#layer.pushAll(layer)
    this.#id.pushAll(id)
    for (const [at, item] of more.entries()) {
      const ofLayer = moreLayer[at] ?? 0
      if (gone[item] === 1 || isGone[ofLayer] !== 1) this.#more.push([item, ofLayer, moreId[at] ?? 0])
    }
  }

  /** Adds the rows of an item of the table before, as the next item, without those of layers that are gone. Returns whether any is left. */
  addLeft(from: RowTable, item: number, isGone: Uint8Array | null): boolean {
    const thing = this.#id.length
    const { layer, id, more } = from
    const first = layer[item] ?? 0
    if (isGone?.[first] !== 1) {
      this.#layer.push(first)
      this.#id.push(id[item] ?? 0)
    }
    for (const row of more.length === 0 ? [] : rowsOf(from, item).slice(1))
      if (isGone?.[this.#layerOf(row.importId)] !== 1) this.add(thing, row)
    return thing < this.#id.length
  }

  /** Builds the table, with the items reordered if `order` is given: `order[new number]` is the old one. */
  build(order?: Uint32Array): RowTable {
    const place = new Uint32Array(order?.length ?? 0)
    for (let at = 0; at < place.length; at++) place[order?.[at] ?? 0] = at
    const more = this.#more
      .map(([thing, layer, id]) => [order ? (place[thing] ?? 0) : thing, layer, id] as const)
      .sort((a, b) => a[0] - b[0])
    const ArrayType = this.#imports.length > 0x1_0000 ? Uint32Array : Uint16Array
    return {
      imports: Uint32Array.from(this.#imports),
      layer: new ArrayType(order ? this.#layer.reordered(order) : this.#layer.view()),
      id: order ? this.#id.reordered(order) : this.#id.toArray(),
      more: Uint32Array.from(more, ([thing]) => thing),
      moreLayer: ArrayType.from(more.map(([, layer]) => layer)),
      moreId: Uint32Array.from(more, ([, , id]) => id),
    }
  }

  #layerOf(importId: number): number {
    const known = this.#layers.get(importId)
    if (known !== undefined) return known
    const layer = this.#imports.push(importId) - 1
    this.#layers.set(importId, layer)
    return layer
  }
}
