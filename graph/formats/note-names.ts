import { baseName } from './format.js'

/**
 * What the notes of a folder are called. A note goes by its file's name, as its links do; where several files have the
 * same name, by its path, so that they stay apart.
 */
export class NoteNames {
  /** Base name → the path without its end, or null when several have it; all in lower case. */
  readonly #paths = new Map<string, string | null>()
  /** Path without its end, in lower case → as it is written. */
  readonly #known = new Map<string, string>()

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) {
      const known = withoutEnd(path)
      const name = baseName(path).toLowerCase()
      this.#known.set(known.toLowerCase(), known)
      this.#paths.set(name, this.#paths.has(name) ? null : known.toLowerCase())
    }
  }

  /** The name of the note in this file. */
  ofFile(path: string): string {
    const name = this.#isAmbiguous(path) ? withoutEnd(path) : baseName(path)
    // Logseq writes the page `project/alpha` into `project___alpha.md`.
    return name.replaceAll('___', '/')
  }

  /** The name of the note that `[[target]]` leads to: by path where there is such a file, else as it stands. */
  ofLink(target: string): string {
    const path = withoutEnd(target, /\.(?:md|markdown)$/i)
    const known = this.#known.get(path.toLowerCase())
    return known === undefined ? path : this.ofFile(`${known}.md`)
  }

  #isAmbiguous(path: string): boolean {
    return this.#paths.get(baseName(path).toLowerCase()) === null
  }
}

function withoutEnd(path: string, end = /(?<=[^/])\.[^./]*$/): string {
  return path.replace(end, '').replace(/^(?:\.?\/)+/, '')
}
