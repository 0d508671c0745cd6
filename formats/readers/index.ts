import { csv } from './csv.js'
import { extensionOf } from './file-name.js'
import type { Format } from './format.js'
import { jsonl } from './jsonl.js'
import { markdown } from './markdown.js'
import { nquads, ntriples } from './ntriples.js'
import { text } from './text.js'
import { trig, turtle } from './turtle.js'

export type { Format, SourceFile } from './format.js'

/** Formats of single files. */
export const formats: readonly Format[] = [jsonl, ntriples, turtle, nquads, trig, csv, markdown, text]

/** The format with this id ("ntriples") or for this file name ("people.NT"), or null. */
export function findFormat(idOrFileName: string): Format | null {
  const wanted = idOrFileName.trim().toLowerCase()
  const extension = extensionOf(wanted) || wanted
  return (
    formats.find(format => format.id === wanted) ??
    formats.find(format => format.extensions.includes(extension)) ??
    null
  )
}
