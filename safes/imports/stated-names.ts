import { normalForm } from '../../common/normal-form.js'
import { copyOf } from './copy-of.js'

/** Names remembered, and the characters of them and their keys. Beyond them some merges are missed. */
const REMEMBERED = 50_000
const REMEMBERED_CHARACTERS = 10_000_000

const EXAMPLES = 3
const EXAMPLE_CHARACTERS = 100

/** Things of a file that have become one because their names differ only in case, accents or form. */
export interface MergedNames {
  /** How many things have such names. */
  count: number
  /** The first three: two names of each. */
  examples: string[][]
}

/** The names by which the records of a file mention things. Its memory does not grow with the file. */
export class StatedNames {
  readonly merged: MergedNames = { count: 0, examples: [] }
  /** The first name by key; null once the key is counted. */
  #first = new Map<string, string | null>()
  #characters = 0

  /** Returns false if the key was already present. */
  add(key: string, name: string): boolean {
    const first = this.#first.get(key)
    if (first !== undefined) {
      if (first !== null && first !== name) this.#compare(key, first, name)
      return false
    }
    if (this.#first.size >= REMEMBERED || this.#characters > REMEMBERED_CHARACTERS) {
      this.#first = new Map()
      this.#characters = 0
    }
    this.#characters += key.length + name.length
    const kept = copyOf(key)
    this.#first.set(kept, name === key ? kept : copyOf(name))
    return true
  }

  #compare(key: string, first: string, name: string): void {
    const names = [seen(first), seen(name)]
    if (names[0] === names[1]) return
    this.#first.set(key, null)
    this.merged.count++
    if (this.merged.examples.length < EXAMPLES) this.merged.examples.push(names.map(beginningOf))
  }
}

/** A name as people see it: blanks, invisible characters and the way it is encoded make no other name. */
function seen(name: string): string {
  return normalForm(name, 'NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function beginningOf(name: string): string {
  if (name.length <= EXAMPLE_CHARACTERS) return name
  return `${name.slice(0, EXAMPLE_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`
}
