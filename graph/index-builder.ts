import { DictionaryBuilder } from './dictionary.js'
import { groupByKey } from './groups.js'
import { MentionFinder, type PassageWord, phraseFlag } from './mentions.js'
import type { AliasRow, EntityRow, PassageRow, RelationRow } from './model.js'
import type { Pause } from './pause.js'
import { RowList } from './row-list.js'
import type { Facts, Mentions, Passages, SafeIndex } from './safe-index.js'
import { hashOf, StringsBuilder } from './strings.js'
import { foldWord, normalizeName, spacedPredicate, words, wordsAt } from './text.js'
import { TextIndexBuilder } from './text-index-builder.js'
import { TimeList } from './time-list.js'
import { TripleTable } from './triple-table.js'
import { Uint32List } from './uint32-list.js'

/** Passages that must have a capitalised phrase before it counts as an entity: fewer connect nothing. */
const leastPassages = 2

/** Takes a Safe's rows (entities, aliases, relations, then passages) and makes its index. */
export class IndexBuilder {
  readonly #entities = new StringsBuilder()
  readonly #types = new StringsBuilder()
  readonly #typeOf = new Uint32List()
  readonly #dictionary = new DictionaryBuilder()
  readonly #names = new TextIndexBuilder()
  readonly #nameOf = new Uint32List()
  readonly #predicates = new StringsBuilder()
  /** A predicate as written → its number. */
  readonly #spellings = new Map<string, number>()
  readonly #facts = new TripleTable()
  readonly #factRows = new RowList()
  /** Entity and two hashes of time and text: equal passages of several imports are one. */
  readonly #passages = new TripleTable()
  readonly #passageRows = new RowList()
  readonly #times = new TimeList()
  readonly #text = new TextIndexBuilder()
  readonly #words = new Uint32List()
  readonly #wordOffsets = new Uint32List()
  #mentions: MentionFinder | null = null

  constructor() {
    this.#types.add('')
  }

  addEntity(row: EntityRow): void {
    const entity = this.#numberOf(row.key)
    if (row.type !== null && this.#typeOf.at(entity) === 0) {
      this.#typeOf.set(entity, this.#types.add(normalizeName(row.type)))
    }
    this.#addName(entity, row.name)
    if (normalizeName(row.name) !== row.key) this.#addName(entity, row.key)
  }

  addAlias(row: AliasRow): void {
    const entity = this.#known(row.entityKey)
    const folded = words(row.alias)
    if (this.#dictionary.addPhrase(entity, folded)) this.#addNameText(entity, folded)
  }

  addRelation(row: RelationRow): void {
    const predicate = this.#predicateOf(row.predicate)
    const fact = this.#facts.add(this.#known(row.subjectKey), predicate, this.#known(row.objectKey))
    this.#factRows.add(fact, row)
  }

  /** All names are known; passages follow, which mention them. */
  async endNames(pause: Pause): Promise<void> {
    this.#mentions = new MentionFinder(this.#dictionary, await this.#dictionary.meanings(pause))
  }

  addPassage(row: PassageRow): void {
    const text = `${row.time ?? ''}\n${row.title}\n${row.text}`
    const { size } = this.#passages
    const entity = this.#known(row.entityKey)
    const passage = this.#passages.add(entity, hashOf(text), hashOf(text, 0x1b873593))
    this.#passageRows.add(passage, row)
    if (passage < size) return
    this.#times.set(passage, row.time)
    const found = passageWords(row.text)
    this.#text.add(words(row.title), 2)
    this.#wordOffsets.push(this.#words.length)
    for (const term of this.#text.add(found.map(word => word.folded))) this.#words.push(term + 1)
    this.#text.end()
    this.#mentions?.read(passage, entity, found)
  }

  async build(pause: Pause): Promise<SafeIndex> {
    const named = this.#entities.size
    const mentions = await this.#buildMentions(pause)
    const facts = await this.#buildFacts(pause)
    const passages = await this.#buildPassages(pause)
    const predicateText = new TextIndexBuilder()
    for (let at = 0; at < this.#predicates.size; at++) {
      predicateText.add(words(this.#predicates.at(at)))
      predicateText.end()
    }
    return {
      entities: this.#entities.build(),
      named,
      types: this.#types.build(),
      typeOf: this.#typeOf.toArray(),
      dictionary: await this.#dictionary.build(pause),
      names: await this.#names.build(pause),
      nameOf: this.#nameOf.toArray(),
      predicates: this.#predicates.build(),
      predicateText: await predicateText.build(pause),
      facts,
      passages,
      mentions,
      text: await this.#text.build(pause),
      degrees: degreesOf(this.#entities.size, facts, passages, mentions),
    }
  }

  /** Capitalised phrases of several passages become entities; those of one are forgotten. */
  async #buildMentions(pause: Pause): Promise<Mentions> {
    const found =
      this.#mentions ?? new MentionFinder(this.#dictionary, await this.#dictionary.meanings(pause))
    const entityOf = new Uint32Array(found.phrases.size)
    for (let phrase = 0; phrase < found.phrases.size; phrase++) {
      if (found.passagesOf.at(phrase) < leastPassages) continue
      const entity = this.#numberOf(found.phrases.at(phrase))
      this.#dictionary.addPhrase(entity, found.phrases.at(phrase).split(' '))
      entityOf[phrase] = entity + 1
    }
    const [passage, entity, at, shared] = [
      new Uint32List(),
      new Uint32List(),
      new Uint32List(),
      new Uint32List(),
    ]
    for (let mention = 0; mention < found.target.length; mention++) {
      const target = found.target.at(mention)
      const number = target < phraseFlag ? target + 1 : (entityOf[target - phraseFlag] ?? 0)
      if (number === 0) continue
      passage.push(found.passage.at(mention))
      entity.push(number - 1)
      at.push(found.at.at(mention))
      shared.push(found.shared.at(mention))
    }
    const byPassage = await groupByKey(passage.toArray(), this.#passages.size, pause)
    return {
      passage: passage.toArray(),
      entity: entity.toArray(),
      at: Uint16Array.from(at.toArray()),
      shared: Uint8Array.from(shared.toArray()),
      offsets: byPassage.offsets,
      byEntity: await groupByKey(entity.toArray(), this.#entities.size, pause),
    }
  }

  async #buildFacts(pause: Pause): Promise<Facts> {
    const [subject, predicate, object] = [
      this.#facts.first.toArray(),
      this.#facts.second.toArray(),
      this.#facts.third.toArray(),
    ]
    const byPredicate = await groupByKey(predicate, this.#predicates.size, pause)
    const bySubject = await groupByKey(picked(subject, byPredicate.items), this.#entities.size, pause)
    const order = picked(byPredicate.items, bySubject.items)
    const sorted = {
      subject: picked(subject, order),
      predicate: picked(predicate, order),
      object: picked(object, order),
    }
    const again = await groupByKey(sorted.predicate, this.#predicates.size, pause)
    const byObject = await groupByKey(picked(sorted.object, again.items), this.#entities.size, pause)
    return {
      count: order.length,
      ...sorted,
      outgoing: bySubject.offsets,
      incoming: { offsets: byObject.offsets, items: picked(again.items, byObject.items) },
      rows: this.#factRows.build(order),
    }
  }

  async #buildPassages(pause: Pause): Promise<Passages> {
    const entity = this.#passages.first.toArray()
    this.#wordOffsets.push(this.#words.length)
    return {
      count: entity.length,
      entity,
      about: await groupByKey(entity, this.#entities.size, pause),
      offsets: this.#wordOffsets.toArray(),
      words: this.#words.toArray(),
      ...this.#times.build(entity.length),
      rows: this.#passageRows.build(Uint32Array.from(entity, (_, at) => at)),
    }
  }

  #numberOf(key: string): number {
    const entity = this.#entities.add(key)
    if (entity === this.#typeOf.length) this.#typeOf.push(0)
    return entity
  }

  /** The entity, called by its key if no row has named it: the end of a dangling relation. */
  #known(key: string): number {
    const { size } = this.#entities
    const entity = this.#numberOf(key)
    if (entity === size) this.#addName(entity, key)
    return entity
  }

  #predicateOf(written: string): number {
    const known = this.#spellings.get(written)
    if (known !== undefined) return known
    const predicate = this.#predicates.add(normalizeName(spacedPredicate(written)))
    if (this.#spellings.size < 10_000) this.#spellings.set(written, predicate)
    return predicate
  }

  #addName(entity: number, name: string): void {
    const folded = words(name)
    if (this.#dictionary.addName(entity, name, folded)) this.#addNameText(entity, folded)
  }

  #addNameText(entity: number, folded: readonly string[]): void {
    this.#names.add(folded)
    this.#names.end()
    this.#nameOf.push(entity)
  }
}

function degreesOf(entities: number, facts: Facts, passages: Passages, mentions: Mentions): Uint32Array {
  const between = (offsets: Uint32Array, at: number) => (offsets[at + 1] ?? 0) - (offsets[at] ?? 0)
  return Uint32Array.from({ length: entities + passages.count }, (_, node) =>
    node < entities
      ? between(facts.outgoing, node) +
        between(facts.incoming.offsets, node) +
        between(passages.about.offsets, node) +
        between(mentions.byEntity.offsets, node)
      : 1 + between(mentions.offsets, node - entities),
  )
}

function picked(values: Uint32Array, places: Uint32Array): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(places.length)
  for (let at = 0; at < places.length; at++) result[at] = values[places[at] ?? 0] ?? 0
  return result
}

function passageWords(text: string): PassageWord[] {
  let end = 0
  return wordsAt(text).map(word => {
    const joined = /^[\s-]*$/.test(text.slice(end, word.start))
    end = word.end
    return { folded: foldWord(word.text), capital: /^\p{Lu}/u.test(word.text), joined }
  })
}
