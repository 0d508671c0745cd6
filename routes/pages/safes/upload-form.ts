import type { Safes } from '../../../domain/safes/safes.js'

/** The form that uploads files (`views/parts/upload.eta`). */
interface UploadForm {
  action: string
  formats: { id: string; label: string }[]
  /** File name extensions for the browser's file dialog. */
  accept: string
}

/** Maximum files that the form takes without a script. */
export const MAX_FILES = 20

/** The form of a Safe, with the formats that can be read. */
export function uploadForm({ imports }: Pick<Safes, 'imports'>, safePath: string): UploadForm {
  const formats = imports.formats.map(({ id, title, extensions }) => {
    const suffixes = extensions.map(extension => `.${extension}`)
    return { id, suffixes, label: `${title} (${suffixes.join(', ')})` }
  })
  return {
    action: `${safePath}/import`,
    formats: formats.map(({ id, label }) => ({ id, label })),
    accept: [...new Set(formats.flatMap(({ suffixes }) => suffixes))].join(','),
  }
}
