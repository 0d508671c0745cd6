import type { DocumentFacts, DocumentSink } from '../../../engine/formats/shared/format.js'

/** A document as a reader emits it. */
export interface Said extends DocumentFacts {
  name: string
  format?: string
  text: string
}

/** Collects the documents that readers emit. */
export function documentSink(): DocumentSink & { said: Said[] } {
  const said: Said[] = []
  const last = () => {
    if (said.length === 0) said.push({ name: '', text: '' })
    return said.at(-1)!
  }
  return {
    said,
    begin: (name, format) => void said.push({ name, text: '', ...(format === undefined ? {} : { format }) }),
    about: ({ tags, ...facts }) =>
      void Object.assign(last(), facts, tags ? { tags: [...(last().tags ?? []), ...tags] } : {}),
    write(text) {
      last().text += text
    },
    get line() {
      return last().text.split('\n').length
    },
  }
}
