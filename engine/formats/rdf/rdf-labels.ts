import { normalizeName, type Parsed } from '../../graph/index.js'
import { checked } from '../shared/record.js'

/** Labels of one thing that wait for a better one, or are compared with the name in its IRI. */
const MAX_LABELS = 1_000
/** Several words written as one: `AnchoviesTopping`. */
const CAMEL_CASE = /^\p{L}{0,80}?\p{Ll}\p{Lu}\p{L}{0,80}$/u

/** How a thing is named by its IRI. */
interface Named {
  /** The name in it, if it has one. */
  local: string | null
  /** Whether it is one of our exports, which say all names themselves. */
  isOwn: boolean
}

interface Label {
  line: number
  text: string
  /** A language tag, or empty. */
  language: string
}

/**
 * The labels of the thing that is spoken of. The first one of a thing is its name, so those in English, or in no language,
 * come before those of other languages, which a file may begin with.
 */
export class Labels {
  #id = ''
  #named: Named = { local: null, isOwn: false }
  #isTyped = false
  readonly #texts: string[] = []
  #waiting: Label[] = []

  add(label: Label, batch: Parsed[]): void {
    if (this.#texts.length < MAX_LABELS) this.#texts.push(label.text)
    if (isFirst(label) || this.#waiting.length >= MAX_LABELS) batch.push(named(this.#id, label))
    else this.#waiting.push(label)
  }

  /** Says that the thing is of a type, and so one of its own. */
  typed(): void {
    this.#isTyped = true
  }

  /** Says what is spoken of. */
  about(id: string, named: Named, batch: Parsed[]): void {
    if (this.#id === id) return
    this.end(batch)
    this.#id = id
    this.#named = named
  }

  /** Adds the other names of the thing, and those under which people ask for it. */
  end(batch: Parsed[]): void {
    if (this.#waiting.length === 0 && this.#texts.length === 0 && !this.#isTyped) return
    for (const label of this.#waiting.splice(0)) batch.push(named(this.#id, label))
    const texts = this.#texts.splice(0)
    const { local, isOwn } = this.#named
    if (!isOwn && (texts.length > 0 || this.#isTyped))
      for (const alias of aliasesOf(texts, local))
        batch.push(checked(1, { kind: 'alias', entity: this.#id, alias }))
    this.#isTyped = false
  }
}

const named = (id: string, { line, text }: Label) => checked(line, { kind: 'entity', id, name: text })

/** Names that are written as one word, as several. The name in an IRI is one of the thing's names without that. */
function aliasesOf(labels: readonly string[], local: string | null): Set<string> {
  const known = new Set(labels.map(plain))
  const names = local === null || known.has(plain(local)) ? labels : [...labels, local]
  return new Set(names.map(spacedName).filter((name, at) => name !== names[at]))
}

const isFirst = ({ language }: Label) => language === '' || /^en(?:-|$)/i.test(language)

/** A name without what tells `Ham topping` from `HamTopping`. */
const plain = (name: string) => normalizeName(name).replaceAll(/[ _-]/g, '')

/** The words of a name that is written as one: `XMLSchemaFile` has three. */
const spacedName = (name: string): string =>
  CAMEL_CASE.test(name)
    ? name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    : name
