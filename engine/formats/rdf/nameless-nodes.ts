import type { Quad, Term } from 'n3'
import { words } from '../../../platform/common/words.js'
import type { Fact } from './rdf-statement.js'
import { RDF } from './urn.js'

const OWL = 'http://www.w3.org/2002/07/owl#'
const SUBCLASS = 'http://www.w3.org/2000/01/rdf-schema#subClassOf'
const [FIRST, REST] = [`${RDF}first`, `${RDF}rest`]
/** Properties that combine classes from a list. */
const ALL_OF = `${OWL}intersectionOf`
const PARTS = [ALL_OF, `${OWL}unionOf`, `${OWL}oneOf`]
/** Restrictions on a property: some of these values, or only these. */
const VALUES = ['someValuesFrom', 'hasValue', 'onClass', 'onDataRange'].map(name => OWL + name)
const ONLY = `${OWL}allValuesFrom`
const ON_PROPERTY = `${OWL}onProperty`
/** Types of blank nodes that only describe a class. */
const TYPES = words(`${OWL}Class ${OWL}Restriction ${OWL}AllDisjointClasses ${OWL}AllDisjointProperties
  ${OWL}AllDifferent ${OWL}Axiom ${OWL}Annotation ${RDF}List http://www.w3.org/2000/01/rdf-schema#Datatype`)
/** Maximum pending statements, list members, nesting depth, and look-ups per statement. */
const MAX_WAITING = 50_000
const MAX_LIST_LENGTH = 1_000
const MAX_DEPTH = 20
const MAX_ASKED = 10_000

type Node = ReadonlyMap<string, Term>

interface NamelessUse extends Fact {
  line: number
}

/**
 * Resolves blank nodes that are not entities: lists, and unnamed classes in OWL. Their contents are attributed to the
 * entity that refers to them: `American subClassOf [onProperty hasTopping; someValuesFrom Tomato]`
 * becomes `American hasTopping Tomato` (OWL 2 Mapping to RDF Graphs §3).
 */
export class NamelessNodes {
  /** The properties of each node. */
  readonly #nodes = new Map<string, Map<string, Term>>()
  /** Blank nodes that are entities. */
  readonly #things = new Set<string>()
  /** Statements that refer to blank nodes. */
  #waiting: NamelessUse[] = []
  #asked = 0

  /** Returns true if it keeps the statement. */
  take(line: number, quad: Quad): boolean {
    const { subject, predicate, object } = quad
    if (subject.termType === 'BlankNode' && this.#isPart(quad)) {
      const known = this.#nodes.get(subject.value)
      if (known) known.set(predicate.value, object)
      else this.#nodes.set(subject.value, new Map([[predicate.value, object]]))
      return true
    }
    if (subject.termType === 'BlankNode' && this.#things.size < MAX_WAITING) this.#things.add(subject.value)
    if (object.termType !== 'BlankNode' || this.#things.has(object.value)) return false
    this.#waiting.push({ line, subject, predicate: predicate.value, object })
    return true
  }

  #isPart({ subject, predicate: { value: property }, object }: Quad): boolean {
    if (this.#nodes.has(subject.value)) return true
    if (this.#nodes.size >= MAX_WAITING) return false
    const isOfOwl = property.startsWith(OWL) && property !== `${OWL}sameAs`
    return isOfOwl || property === FIRST || property === REST || TYPES.has(object.value)
  }

  /** The resolved statements: at the end, or when too many are pending. */
  *said(isEnd: boolean): Generator<NamelessUse> {
    if (!isEnd && this.#waiting.length < MAX_WAITING) return
    for (const each of this.#waiting.splice(0)) yield* this.#resolved(each)
  }

  *#resolved(said: NamelessUse): Generator<NamelessUse> {
    this.#asked = 0
    const { predicate, object } = said
    const node = this.#nodes.get(object.value)
    if (!node) return yield said
    const parts = PARTS.find(part => node.has(part))
    const isKind = predicate === SUBCLASS || predicate === `${OWL}equivalentClass`
    // An intersection is a subclass of each member; a union is not.
    const says = isKind && parts ? (parts === ALL_OF ? SUBCLASS : parts) : predicate
    for (const target of this.#targets(object, 0)) yield { ...said, predicate: says, object: target }
    for (const fact of this.#facts(object, 0)) yield { ...said, ...fact }
  }

  /** The entities of a term. */
  #targets(term: Term, depth: number): Term[] {
    if (term.termType !== 'BlankNode') return [term]
    const node = this.#nodes.get(term.value)
    if (!node) return [term]
    if (depth > MAX_DEPTH || ++this.#asked > MAX_ASKED) return []
    const members = this.#members(node)
    if (node.has(ALL_OF)) return members.filter(({ termType }) => termType !== 'BlankNode')
    return members.flatMap(member => this.#targets(member, depth + 1))
  }

  /** The facts from its restrictions. */
  #facts(term: Term, depth: number): { predicate: string; object: Term }[] {
    const node = term.termType === 'BlankNode' ? this.#nodes.get(term.value) : undefined
    if (!node || depth > MAX_DEPTH || ++this.#asked > MAX_ASKED) return []
    const property = node.get(ON_PROPERTY)
    if (property?.termType !== 'NamedNode')
      return this.#members(node).flatMap(member => this.#facts(member, depth + 1))
    const said = (names: readonly string[], predicate: string) =>
      names
        .flatMap(name => node.get(name) ?? [])
        .flatMap(value => this.#targets(value, depth + 1))
        .map(object => ({ predicate, object }))
    return [...said(VALUES, property.value), ...said([ONLY], `${property.value} only`)]
  }

  /** The members of a list, or of the list that defines a class. */
  #members(node: Node): Term[] {
    const members: Term[] = []
    const list = PARTS.map(part => node.get(part)).find(part => part !== undefined)
    let at = list ? this.#nodes.get(list.value) : node
    for (let first = at?.get(FIRST); first && members.length < MAX_LIST_LENGTH; first = at?.get(FIRST)) {
      members.push(first)
      at = this.#nodes.get(at?.get(REST)?.value ?? '')
    }
    return members
  }
}
