import type { Quad, Term } from 'n3'
import { words } from '../../../platform/common/words.js'
import type { FactTimes } from '../../graph/index.js'
import { RDF, STATEMENT_PROPERTIES, textOfUrn } from './urn.js'

const REIFIES = `${RDF}reifies`
/** The first properties of a node that is itself a statement. */
const OF_STATEMENT: readonly string[] = [`${RDF}subject`, `${RDF}predicate`, `${RDF}object`, REIFIES]

/** Qualifiers with dates: property names without case and separators, and Wikidata's numbers. */
const FROM = words('validfrom startdate starttime since start p580 pointintime p585')
const TO = words('validto validuntil enddate endtime until end p582 pointintime p585')
const LEARNED = words('learnedon datecreated')

/** Statements of Wikibase and their subjects: `…/entity/statement/Q42-D8404CDA-…`. */
const WIKIBASE_STATEMENT = /^(.{0,200}\/entity\/)statement\/([QPLqpl]\d{1,20})-[^/]{1,100}$/
const WIKIBASE_VALUE = /\/prop\/statement\/(P\d{1,20})$/
const DEPRECATED = 'http://wikiba.se/ontology#DeprecatedRank'

/** A statement of a file. */
export interface Fact {
  subject: NamedTerm
  /** An IRI. */
  predicate: string
  object: Term
  graph?: Term
  /** The dates from a node about the fact. */
  times?: FactTimes
}

export type NamedTerm = Pick<Term, 'termType' | 'value'>

/** Whether a term is a statement of Wikidata or another Wikibase. */
export const isWikibaseStatement = ({ value }: Term): boolean =>
  value.includes('/entity/statement/') && WIKIBASE_STATEMENT.test(value)

/**
 * A node about a fact: RDF 1.2's reifier (`<< … >>` and `{| … |}` in Turtle), RDF reification
 * (`rdf:subject` …), or a statement of Wikidata. Qualifiers other than dates are left out.
 */
export class StatementNode {
  readonly line: number
  readonly #id: Term
  #subject: Term | null = null
  #predicate: string | null = null
  #object: Term | null = null
  #isDeprecated = false
  readonly #times: FactTimes = {}

  constructor(line: number, id: Term) {
    this.line = line
    this.#id = id
  }

  /** Whether the first statement about a node shows that it is a statement node. */
  static isBegunBy({ subject, predicate, object }: Quad): boolean {
    const { value } = predicate
    if (value.startsWith(RDF) && (OF_STATEMENT.includes(value) || object.value === `${RDF}Statement`))
      return true
    return isWikibaseStatement(subject)
  }

  /** Whether it is from our export. */
  get isOwn(): boolean {
    return textOfUrn('statement', this.#id.value) !== null
  }

  isAbout(term: Term): boolean {
    return this.#id.termType === term.termType && this.#id.value === term.value
  }

  add({ predicate: { value: property }, object }: Quad): void {
    const { subject, predicate } = STATEMENT_PROPERTIES
    const wikibase = WIKIBASE_VALUE.exec(property)?.[1]
    const reified = property === REIFIES ? tripleIn(object) : null
    if (reified) {
      this.#subject = reified.subject
      this.#predicate = reified.predicate.value
      this.#object = reified.object
    } else if (property === subject) this.#subject = object
    else if (property === predicate) this.#predicate = object.value
    else if (property === STATEMENT_PROPERTIES.object) this.#object = object
    else if (wikibase !== undefined) {
      this.#predicate = wikibase
      this.#object = object
    } else if (object.value === DEPRECATED) this.#isDeprecated = true
    else if (object.termType === 'Literal') this.#addTime(plainName(property), object.value)
  }

  #addTime(name: string, date: string): void {
    if (FROM.has(name)) this.#times.validFrom = date
    if (TO.has(name)) this.#times.validTo = date
    if (LEARNED.has(name)) this.#times.learnedOn = date
  }

  /** Null if Wikidata has no value or a deprecated one; a sentence if the fact is incomplete. */
  fact(): Fact | string | null {
    const [, entities = '', about] = WIKIBASE_STATEMENT.exec(this.#id.value) ?? []
    const subject = about === undefined ? this.#subject : namedNode(`${entities}${about.toUpperCase()}`)
    if (this.#isDeprecated || (about !== undefined && !this.#object)) return null
    if (!subject || this.#predicate === null || !this.#object)
      return 'This statement about a fact does not name its subject, predicate and object.'
    return { subject, predicate: this.#predicate, object: this.#object, times: this.#times }
  }
}

/** The quad in a triple term, which is missing in the types of n3. */
const tripleIn = (term: Term): Quad | null =>
  (term.termType as string) === 'Quad' ? (term as unknown as Quad) : null

const namedNode = (value: string): NamedTerm => ({ termType: 'NamedNode', value })

/** The last part of an IRI, in lower case without separators. */
function plainName(iri: string): string {
  const start = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/'), iri.lastIndexOf(':')) + 1
  return iri
    .slice(start)
    .replace(/[\s_-]/g, '')
    .toLowerCase()
}
