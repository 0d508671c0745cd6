import { csv } from './csv.js'
import type { Format } from './format.js'
import { jsonl } from './jsonl.js'
import { ntriples } from './ntriples.js'
import { turtle } from './turtle.js'

export type { Format } from './format.js'

/** Every format an import can have. */
export const formats: readonly Format[] = [jsonl, ntriples, turtle, csv]

/** The format of this id ("ntriples") or file name ("people.NT"), or null. */
export function findFormat(idOrFileName: string): Format | null {
  const text = idOrFileName.trim().toLowerCase()
  const extension = text.slice(text.lastIndexOf('.') + 1)
  return (
    formats.find(format => format.id === text) ??
    formats.find(format => format.extensions.includes(extension)) ??
    null
  )
}
