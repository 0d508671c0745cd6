import type { IndexData, SafeIndex } from './safe-index.js'
import { Workspace } from './workspace.js'

/** The structure of an index as JSON: each typed array is given by its kind, position and length. */
export interface Layout {
  version: number
  byteLength: number
  record: unknown
}

/** Incremented with every change of `SafeIndex` or of tokenization; older snapshots are then rebuilt. */
export const LAYOUT_VERSION = 10

const KINDS = { u8: Buffer, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const
type Piece = Uint8Array | Uint16Array | Uint32Array | Float64Array

/**
 * An index as one block of memory with a description, for a file or (in a SharedArrayBuffer) for another
 * thread. `fromBuffers` restores it without copying.
 */
export function toBuffers(
  index: SafeIndex,
  allocate: (byteLength: number) => ArrayBufferLike = size => new ArrayBuffer(size),
): { layout: Layout; bytes: Uint8Array } {
  const pieces: { piece: Piece; at: number }[] = []
  let byteLength = 0
  const record = mapped(dataOf(index), value => {
    if (!isPiece(value)) return value
    const at = byteLength
    pieces.push({ piece: value, at })
    byteLength = (at + value.byteLength + 7) & ~7
    return { $: kindOf(value), at, length: value.length }
  })
  const bytes = new Uint8Array(allocate(byteLength))
  for (const { piece, at } of pieces) {
    bytes.set(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength), at)
  }
  return { layout: { version: LAYOUT_VERSION, byteLength, record }, bytes }
}

/** Restores the index described by `toBuffers`; null if another version wrote it or it is incomplete. */
export function fromBuffers(
  layout: Layout,
  bytes: Uint8Array,
  workspace = new Workspace(),
): SafeIndex | null {
  if (layout.version !== LAYOUT_VERSION || bytes.byteLength !== layout.byteLength) return null
  // Typed as unshared memory, but shared memory works as well.
  const buffer = bytes.buffer as ArrayBuffer
  const data = mapped(layout.record, value => {
    if (!isPlace(value)) return value
    const start = bytes.byteOffset + value.at
    if (value.$ === 'u8') return Buffer.from(buffer, start, value.length)
    return new KINDS[value.$](buffer, start, value.length)
  }) as IndexData
  return { ...data, workspace }
}

/** Memory of an index in bytes, without its workspace. */
export function byteLengthOf(index: SafeIndex): number {
  let total = 0
  mapped(dataOf(index), value => {
    if (isPiece(value)) total += value.byteLength
    return value
  })
  return total
}

function dataOf({ workspace, ...data }: SafeIndex): IndexData {
  return data
}

/** A copy of nested records with every leaf mapped. */
function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || isPiece(value) || isPlace(value)) return change(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, change)]))
}

interface BufferPlace {
  $: keyof typeof KINDS
  at: number
  length: number
}

function isPlace(value: unknown): value is BufferPlace {
  return typeof value === 'object' && value !== null && '$' in value
}

function isPiece(value: unknown): value is Piece {
  return ArrayBuffer.isView(value)
}

function kindOf(piece: Piece): keyof typeof KINDS {
  if (piece instanceof Float64Array) return 'f64'
  if (piece instanceof Uint32Array) return 'u32'
  return piece instanceof Uint16Array ? 'u16' : 'u8'
}
