import { createHash } from 'node:crypto'
import { fromBuffers, type Layout } from '../../../engine/graph/index.js'

/** A snapshot begins with this line, the length of the header, and the header as JSON. The bytes of the index follow. */
const MAGIC = Buffer.from('svc index\n')
const LENGTH_BYTES = 4
const MAX_HEADER = 1024 * 1024
/** Typed arrays start at multiples of their size. */
const ALIGNMENT = 8

/** An index in memory that threads can share, with its layout. */
export interface SharedIndex {
  layout: Layout
  bytes: Uint8Array
}

/** The identity of a snapshot. */
interface SnapshotOf {
  safeId: string
  /** Identifies the imports in the index. */
  contentHash: string
}

interface Header extends SnapshotOf {
  layout: Layout
  /** SHA-256 of everything else, including the index's bytes: after a power failure a file may exist without its bytes. */
  digest: string
}

/** Bytes from which the length of the header can be read. */
export const LEAD_BYTES = MAGIC.length + LENGTH_BYTES

/** The part of a snapshot before the bytes of an index. */
export function snapshotHeader({ safeId, contentHash }: SnapshotOf, { layout, bytes }: SharedIndex): Buffer {
  const header = { safeId, contentHash, layout }
  const text = Buffer.from(JSON.stringify({ ...header, digest: digestOf(header, bytes) }))
  const lead = Buffer.alloc(aligned(LEAD_BYTES + text.length))
  MAGIC.copy(lead)
  lead.writeUInt32LE(text.length, MAGIC.length)
  text.copy(lead, LEAD_BYTES)
  return lead
}

/** Length of everything before the bytes of an index, or null if `lead` is not the beginning of a snapshot. */
export function headerLength(lead: Buffer): number | null {
  if (lead.length < LEAD_BYTES || !lead.subarray(0, MAGIC.length).equals(MAGIC)) return null
  const length = lead.readUInt32LE(MAGIC.length)
  return length > MAX_HEADER ? null : aligned(LEAD_BYTES + length)
}

/** The header of a snapshot, or null if it belongs to something else. @throws SyntaxError for a damaged one */
export function readHeader(start: Buffer, of: { safeId: string; contentHash: string | null }): Header | null {
  const text = start.subarray(LEAD_BYTES, LEAD_BYTES + start.readUInt32LE(MAGIC.length))
  const header: Header = JSON.parse(text.toString())
  const isWanted = of.contentHash === null || header.contentHash === of.contentHash
  return header.safeId === of.safeId && isWanted ? header : null
}

/** The index, or null when it is damaged or written by another version of the service. */
export function verified(header: Header, bytes: Uint8Array): SharedIndex | null {
  const { safeId, contentHash, layout, digest } = header
  if (digest !== digestOf({ safeId, contentHash, layout }, bytes)) return null
  return fromBuffers(layout, bytes) ? { layout, bytes } : null
}

const aligned = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT

const digestOf = (header: Omit<Header, 'digest'>, bytes: Uint8Array) =>
  createHash('sha256').update(JSON.stringify(header)).update(bytes).digest('base64url')
