import type { GraphSource } from '../../../engine/graph/index.js'

/** Thrown when a Safe turns out to be too large to be indexed in this thread. */
export class NotSmall extends Error {}

/** Maximum rows, and maximum characters of all their texts. */
const MAX = { rows: 5_000, characters: 1_000_000 }
/** Maximum characters of one text, which is split into words without a pause. */
const MAX_LENGTH = 10_000

/** The same rows, up to an amount that takes milliseconds to index. The counts of imports do not include everything. */
export const smallSource = (source: GraphSource): GraphSource =>
  limitedSource(source, { ...MAX, longest: MAX_LENGTH }).source

/** The same rows, and the number read so far. Reading them throws `NotSmall` if there are more. */
export function limitedSource(
  source: GraphSource,
  {
    rows,
    characters = Number.POSITIVE_INFINITY,
    longest = Number.POSITIVE_INFINITY,
  }: { rows: number; characters?: number; longest?: number },
) {
  const seen = { rows: 0, characters: 0 }
  async function* counted<Row extends object>(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    for await (const page of pages) {
      seen.rows += page.length
      for (const row of page) seen.characters += charactersOf(row, longest)
      if (seen.rows > rows || seen.characters > characters) throw new NotSmall()
      yield page
    }
  }
  const limited: GraphSource = {
    identities: () => counted(source.identities()),
    entities: () => counted(source.entities()),
    aliases: () => counted(source.aliases()),
    relations: () => counted(source.relations()),
    passages: () => counted(source.passages()),
    succession: async () => (await source.succession?.()) ?? null,
  }
  return { source: limited, seen }
}

function charactersOf(row: object, longest: number): number {
  let characters = 0
  for (const value of Object.values(row)) {
    if (typeof value !== 'string') continue
    if (value.length > longest) throw new NotSmall()
    characters += value.length
  }
  return characters
}
