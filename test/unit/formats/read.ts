import { createReadStream } from 'node:fs'
import { findFormat } from '../../../engine/formats/formats.js'
import type { SourceFile } from '../../../engine/formats/shared/format.js'
import type { GraphRecord, Parsed } from '../../../engine/graph/model.js'

/** All contents of a file. */
export async function read(
  format: string,
  bytes: AsyncIterable<Uint8Array>,
  file?: SourceFile,
): Promise<Parsed[]> {
  const parsed: Parsed[] = []
  for await (const batch of findFormat(format)!.parse(bytes, file)) parsed.push(...batch)
  return parsed
}

/** The text in chunks of `size` bytes, which cut lines and characters anywhere. */
export async function* chunks(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const fixture = (name: string) => createReadStream(new URL(`../../fixtures/${name}`, import.meta.url))

export const text = (format: string, content: string | Uint8Array, file?: SourceFile) =>
  read(format, chunks(content), file)

export const records = (parsed: Parsed[]): GraphRecord[] =>
  parsed.flatMap(p => ('record' in p ? [p.record] : []))

export const problems = (parsed: Parsed[]) =>
  parsed.flatMap(p => ('problem' in p ? [[p.line, p.problem]] : []))

/** The line numbers of problems and records. */
export const linesOf = (parsed: Parsed[]) => parsed.map(({ line }) => line)

/** The lines with problems. */
export const badLines = (parsed: Parsed[]) => problems(parsed).map(([line]) => line)

export const passages = (parsed: Parsed[]) =>
  records(parsed).flatMap(record => (record.kind === 'passage' ? [record] : []))

/** Records as short lines: `Ada — knows → Babbage`. */
export const shown = (parsed: Parsed[]) => records(parsed).map(line)

function line(record: GraphRecord): string {
  switch (record.kind) {
    case 'entity':
      return `${record.id} is ${record.name}${record.type ? ` (${record.type})` : ''}`
    case 'alias':
      return `${record.entity} alias ${record.alias}`
    case 'same':
      return `${record.entity} is the same as ${record.sameAs}`
    case 'relation':
      return `${record.subject} — ${record.predicate} → ${record.object}`
    case 'passage':
      return `${record.title}: ${record.text.split('\n')[0]}${record.source ? ` [${record.source}]` : ''}`
  }
}
