import type { GraphSource } from '../../graph/model.js'

/** Thrown by the pages of a Safe that turns out to be too large to be indexed where it is read. */
export class NotSmall extends Error {}

/** Rows, and characters of all their texts. */
const MOST = { rows: 5_000, characters: 1_000_000 }
/** Characters of a text that is cut into words in one go. */
const LONGEST = 10_000

/** The same rows, up to what takes milliseconds to index. What is counted when they are imported is not all of them. */
export function smallSource(source: GraphSource): GraphSource {
  const seen = { rows: 0, characters: 0 }
  async function* counted<Row extends object>(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    for await (const page of pages) {
      seen.rows += page.length
      for (const row of page) seen.characters += charactersOf(row)
      if (seen.rows > MOST.rows || seen.characters > MOST.characters) throw new NotSmall()
      yield page
    }
  }
  return {
    entities: () => counted(source.entities()),
    aliases: () => counted(source.aliases()),
    relations: () => counted(source.relations()),
    passages: () => counted(source.passages()),
  }
}

function charactersOf(row: object): number {
  let characters = 0
  for (const value of Object.values(row)) {
    if (typeof value !== 'string') continue
    if (value.length > LONGEST) throw new NotSmall()
    characters += value.length
  }
  return characters
}
