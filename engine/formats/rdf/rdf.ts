import type { Literal, Quad } from 'n3'
import type { GraphRecord, Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import type { SourceFile } from '../shared/format.js'
import { checked } from '../shared/record.js'
import { IriNames, localName } from './iri-names.js'
import { NamelessNodes } from './nameless-nodes.js'
import { Labels } from './rdf-labels.js'
import { type Fact, isWikibaseStatement, type NamedTerm, StatementNode } from './rdf-statement.js'
import { PASSAGE_PROPERTIES, RDF, textOfUrn } from './urn.js'

const RDF_TYPE = `${RDF}type`
const NAME_PROPERTIES = new Set([
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://xmlns.com/foaf/0.1/name',
  'http://schema.org/name',
  'https://schema.org/name',
  'https://www.w3.org/ns/activitystreams#name',
])
/** Merges two entities in our own export. In other files it is an ordinary relation: nothing is merged automatically. */
const SAME_AS = 'http://www.w3.org/2002/07/owl#sameAs'
const ALIAS_PROPERTIES = new Set(['http://www.w3.org/2004/02/skos/core#altLabel'])
const TEXT_PROPERTIES = new Set([
  'http://www.w3.org/2000/01/rdf-schema#comment',
  'http://www.w3.org/2004/02/skos/core#definition',
  'http://purl.org/dc/elements/1.1/description',
  'http://purl.org/dc/terms/description',
])

/** Term types allowed as subject and object. */
const TERMS = new Set(['NamedNode', 'BlankNode', 'Literal'])

const ABOUT_FACT = 'A statement about a fact (RDF 1.2) can only give its dates. This one was left out.'

/** Maximum characters of a name; longer literals are texts about their subject. */
const MAX_NAME_LENGTH = 80

/** Converts the statements of one file into records (GRAPH §6). */
export class RdfReader {
  readonly #batch: Parsed[] = []
  readonly #scope: string
  readonly #remark: SourceFile['remark']
  /** The entity for `<>`: the file. */
  readonly #file: string
  /** The passage of the latest statements; in our export the statements about a passage are consecutive. */
  #passage: { id: string; line: number; properties: Map<string, string> } | null = null

  /** The current statement about a fact; its properties are consecutive as well. */
  #statement: StatementNode | null = null
  /** The fact of the last statement in our export, which is repeated without dates. */
  #stated = ''

  readonly #names = new IriNames()
  readonly #labels = new Labels()
  /** Whether it is an export of Zotero, which names things by titles. */
  #isZotero = false
  readonly #nameless = new NamelessNodes()

  constructor(file?: SourceFile) {
    this.#remark = file?.remark
    this.#scope = file?.scope ? `-${file.scope}` : ''
    this.#file = file ? baseName(file.path) : 'This file'
  }

  /** Returns the records and problems since the last call. */
  take(): Parsed[] {
    return this.#batch.splice(0)
  }

  /** Adds a problem with a part of the file. */
  report(line: number, problem: string): void {
    this.#batch.push({ line, problem })
  }

  /** Adds the record of a statement, or its problem. */
  add(quad: Quad, line: number): void {
    const { subject, predicate, object } = quad
    const passage = textOfUrn('passage', subject.value)
    if (this.#passage && this.#passage.id !== passage) this.#endPassage()
    if (this.#statement && !this.#statement.isAbout(subject)) this.#endStatement()
    if (passage !== null) {
      this.#passage ??= { id: passage, line, properties: new Map() }
      this.#passage.properties.set(predicate.value, this.#valueOf(object))
      return
    }
    if (!this.#statement && StatementNode.isBegunBy(quad)) this.#statement = new StatementNode(line, subject)
    if (this.#statement) {
      this.#statement.add(quad)
      return
    }
    if (!TERMS.has(object.termType)) {
      this.#remark?.(line, ABOUT_FACT)
      return
    }
    for (const { line: at, ...fact } of this.#nameless.said(false)) this.#addFact(at, fact)
    if (this.#nameless.take(line, quad)) return
    // Empty literals contain no information.
    if (object.termType === 'Literal' && object.value.trim() === '') return
    // The statement node contains more.
    if (isWikibaseStatement(object) || this.#isStated(quad)) return
    this.#addFact(line, { subject, predicate: predicate.value, object, graph: quad.graph })
  }

  #addFact(line: number, fact: Fact): void {
    const { subject, predicate, object } = fact
    const own = subject.termType === 'NamedNode' ? textOfUrn('entity', subject.value) : null
    const id = own ?? this.#idOf(subject)
    const isIri = subject.termType === 'NamedNode' && own === null
    this.#labels.about(
      id,
      { local: isIri ? localName(subject.value) : null, isOwn: own !== null },
      this.#batch,
    )
    this.#isZotero ||= predicate.startsWith('http://www.zotero.org/namespaces/')
    if (isLabel(fact) || (this.#isZotero && isTitle(fact))) {
      this.#names.named(id)
      this.#labels.add({ line, text: object.value, language: (object as Literal).language }, this.#batch)
      return
    }
    if (predicate === RDF_TYPE) this.#labels.typed()
    this.#batch.push(checked(line, this.#recordOf(id, fact)))
  }

  /** Adds the last passage or statement. */
  finish(): void {
    this.#endPassage()
    this.#endStatement()
    this.#labels.end(this.#batch)
    for (const { line, ...fact } of this.#nameless.said(true)) this.#addFact(line, fact)
    this.#labels.end(this.#batch)
    this.#batch.push(...this.#names.unnamed())
  }

  #endStatement(): void {
    if (!this.#statement) return
    const { line, isOwn } = this.#statement
    const fact = this.#statement.fact()
    this.#statement = null
    if (typeof fact === 'string') this.report(line, fact)
    else if (fact && isLabel(fact)) this.#addFact(line, fact)
    else if (fact) {
      this.#batch.push(checked(line, this.#recordOf(this.#idOf(fact.subject), fact)))
      if (isOwn) this.#stated = factOf(fact)
    }
  }

  #isStated(quad: Quad): boolean {
    if (this.#stated === '') return false
    const { subject, predicate, object } = quad
    const isSame = this.#stated === factOf({ subject, predicate: predicate.value, object })
    this.#stated = ''
    return isSame
  }

  #endPassage(): void {
    if (!this.#passage) return
    const { line, properties } = this.#passage
    this.#passage = null
    this.#batch.push(checked(line, passageOf(properties)))
  }

  /** `id`: the id of the subject. */
  #recordOf(id: string, fact: Fact): GraphRecord {
    const { subject, predicate: property, object, graph, times } = fact
    if (property === RDF_TYPE) {
      const type = textOfUrn('type', object.value) ?? this.#idOf(object)
      return { kind: 'entity', id, name: id, type: this.#names.nameOf(type) }
    }
    const isLiteral = object.termType === 'Literal'
    const target = isLiteral ? object.value : this.#idOf(object)
    if (isLiteral && ALIAS_PROPERTIES.has(property)) return { kind: 'alias', entity: id, alias: target }
    if (isLiteral && (TEXT_PROPERTIES.has(property) || target.length > MAX_NAME_LENGTH)) {
      // Facts in a Safe have no graph; the graph of a text is its source.
      const source = graph?.termType === 'NamedNode' ? { source: graph.value } : {}
      return { kind: 'passage', entity: id, title: this.#names.nameOf(id), text: target, ...source }
    }
    if (property === SAME_AS && [subject, object].every(isOwn))
      return { kind: 'same', entity: id, sameAs: target }
    return { kind: 'relation', subject: id, predicate: predicateOf(property), object: target, ...times }
  }

  #idOf(term: NamedTerm): string {
    if (term.termType === 'BlankNode') return `_:${term.value}${this.#scope}`
    return this.#valueOf(term)
  }

  #valueOf(term: NamedTerm): string {
    if (term.termType !== 'NamedNode') return term.value
    if (term.value === '') return this.#file
    return textOfUrn('entity', term.value) ?? this.#names.idOf(term.value)
  }
}

const factOf = ({ subject, predicate, object }: Fact) => `${subject.value}\n${predicate}\n${object.value}`

const isOwn = ({ value }: NamedTerm) => textOfUrn('entity', value) !== null

const isTitle = ({ predicate, object }: Fact) =>
  predicate === 'http://purl.org/dc/elements/1.1/title' && object.termType === 'Literal'

const isLabel = ({ predicate, object }: Fact) =>
  object.termType === 'Literal' && NAME_PROPERTIES.has(predicate)

const predicateOf = (iri: string) => textOfUrn('predicate', iri) ?? localName(iri)

function passageOf(properties: Map<string, string>): GraphRecord {
  const { about, title, text, source, seq, time } = PASSAGE_PROPERTIES
  const [place, date, origin] = [properties.get(seq), properties.get(time), properties.get(source)]
  const entity = properties.get(about) ?? ''
  return {
    kind: 'passage',
    entity,
    title: properties.get(title) ?? entity,
    text: properties.get(text) ?? '',
    ...(origin === undefined ? {} : { source: origin }),
    ...(place === undefined ? {} : { seq: Number(place) }),
    ...(date === undefined ? {} : { time: Date.parse(date) }),
  }
}
