import type { RowRef } from './model.js'
import type { RowTable } from './safe-index.js'
import { Uint32List } from './uint32-list.js'

/** Collects the rows of things, numbered from 0 in order of arrival, for a `RowTable`. */
export class RowList {
  readonly #imports: number[] = []
  readonly #layer = new Uint32List()
  readonly #id = new Uint32List()
  /** Thing, layer, id of rows that say what another one has said. */
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

  /** With the things in a new order: `order[new number]` is the old one. */
  build(order: Uint32Array): RowTable {
    const place = new Uint32Array(order.length)
    for (let at = 0; at < order.length; at++) place[order[at] ?? 0] = at
    const more = this.#more
      .map(([thing, layer, id]) => [place[thing] ?? 0, layer, id] as const)
      .sort((a, b) => a[0] - b[0])
    return {
      imports: Uint32Array.from(this.#imports),
      layer: Uint16Array.from(order, thing => this.#layer.at(thing)),
      id: Uint32Array.from(order, thing => this.#id.at(thing)),
      more: Uint32Array.from(more, ([thing]) => thing),
      moreLayer: Uint16Array.from(more, ([, layer]) => layer),
      moreId: Uint32Array.from(more, ([, , id]) => id),
    }
  }

  /** Rows come import by import, so that the latest one is nearly always the one. */
  #layerOf(importId: number): number {
    const last = this.#imports.length - 1
    if (this.#imports[last] === importId) return last
    const known = this.#imports.indexOf(importId)
    return known >= 0 ? known : this.#imports.push(importId) - 1
  }
}
