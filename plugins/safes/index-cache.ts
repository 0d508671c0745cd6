/** An index with the version of the Safe it shows. */
export interface Built<Index> {
  version: number
  index: Index
  /** Memory it takes, estimated. */
  bytes: number
}

/**
 * Indexes of Safes in memory: built when first asked for, once however many ask, and the least recently asked leave
 * when all together take too much. A build that fails is not remembered.
 */
export class IndexCache<Index> {
  readonly #build: (safeId: string) => Promise<Built<Index>>
  readonly #maxBytes: number
  /** In order of use, the latest last. */
  readonly #kept = new Map<string, Built<Index>>()
  readonly #building = new Map<string, Promise<Built<Index>>>()
  #bytes = 0

  constructor(build: (safeId: string) => Promise<Built<Index>>, maxBytes: number) {
    this.#build = build
    this.#maxBytes = maxBytes
  }

  /** The index of this Safe at `version`, or at a newer one if it changed while the index was built. */
  async get(safeId: string, version: number): Promise<Built<Index>> {
    const kept = this.#kept.get(safeId)
    if (kept?.version === version) {
      this.#kept.delete(safeId)
      this.#kept.set(safeId, kept)
      return kept
    }
    const flight = `${safeId} ${version}`
    const building = this.#building.get(flight) ?? this.#start(flight, safeId)
    return building
  }

  /** Forgets a Safe that is no more. */
  drop(safeId: string): void {
    this.#bytes -= this.#kept.get(safeId)?.bytes ?? 0
    this.#kept.delete(safeId)
  }

  #start(flight: string, safeId: string): Promise<Built<Index>> {
    const building = this.#build(safeId)
      .then(built => this.#keep(safeId, built))
      .finally(() => this.#building.delete(flight))
    this.#building.set(flight, building)
    return building
  }

  #keep(safeId: string, built: Built<Index>): Built<Index> {
    const kept = this.#kept.get(safeId)
    if (kept && kept.version > built.version) return built
    this.drop(safeId)
    this.#kept.set(safeId, built)
    this.#bytes += built.bytes
    for (const other of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes || other === safeId) break
      this.drop(other)
    }
    return built
  }
}
