import { normalizeName, type Parsed } from '../../graph/index.js'
import { checked } from '../shared/record.js'

/** Maximum labels of one entity held for a better one, or for a comparison with its IRI. */
const MAX_LABELS = 1_000
/** CamelCase: `AnchoviesTopping`. */
const CAMEL_CASE = /^\p{L}{0,80}?\p{Ll}\p{Lu}\p{L}{0,80}$/u

/** The name of an entity in its IRI. */
interface IriName {
  /** The local name, if there is one. */
  local: string | null
  /** Whether the IRI is from our own export, which contains all names. */
  isOwn: boolean
}

interface RdfLabel {
  line: number
  text: string
  /** A language tag, or empty. */
  language: string
}

/**
 * The labels of the current entity. The first label is its name, so labels in English or without a language come
 * before those of other languages, which may be first in the file.
 */
export class Labels {
  #id = ''
  #named: IriName = { local: null, isOwn: false }
  #isTyped = false
  readonly #texts: string[] = []
  #waiting: RdfLabel[] = []

  add(label: RdfLabel, batch: Parsed[]): void {
    if (this.#texts.length < MAX_LABELS) this.#texts.push(label.text)
    if (isFirst(label) || this.#waiting.length >= MAX_LABELS) batch.push(named(this.#id, label))
    else this.#waiting.push(label)
  }

  /** Marks the entity as having a type, and therefore as an entity of its own. */
  typed(): void {
    this.#isTyped = true
  }

  /** Sets the current entity. */
  about(id: string, named: IriName, batch: Parsed[]): void {
    if (this.#id === id) return
    this.end(batch)
    this.#id = id
    this.#named = named
  }

  /** Adds the other names of the entity, and aliases for searches. */
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

const named = (id: string, { line, text }: RdfLabel) => checked(line, { kind: 'entity', id, name: text })

/** Aliases with separate words for names written as one, including the name in the IRI. */
function aliasesOf(labels: readonly string[], local: string | null): Set<string> {
  const known = new Set(labels.map(plain))
  const names = local === null || known.has(plain(local)) ? labels : [...labels, local]
  return new Set(names.map(spacedName).filter((name, at) => name !== names[at]))
}

const isFirst = ({ language }: RdfLabel) => language === '' || /^en(?:-|$)/i.test(language)

/** A name without differences such as `Ham topping` and `HamTopping`. */
const plain = (name: string) => normalizeName(name).replaceAll(/[ _-]/g, '')

/** The words of a CamelCase name: `XMLSchemaFile` has three. */
const spacedName = (name: string): string =>
  CAMEL_CASE.test(name)
    ? name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    : name
