import { csv } from './csv.js'
import { extensionOf, type Format } from './format.js'
import { jsonl } from './jsonl.js'
import { nquads, ntriples } from './ntriples.js'
import { trig, turtle } from './turtle.js'

export type { Format, SourceFile } from './format.js'

/** Every format that a single file can have. */
export const formats: readonly Format[] = [jsonl, ntriples, turtle, nquads, trig, csv]

/** The format of this id ("ntriples") or file name ("people.NT"), or null. */
export function findFormat(idOrFileName: string): Format | null {
  const text = idOrFileName.trim().toLowerCase()
  const extension = extensionOf(text) || text
  return (
    formats.find(format => format.id === text) ??
    formats.find(format => format.extensions.includes(extension)) ??
    null
  )
}
