type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name

const NAMES = new Map<string, string>()

function named(row: object, rename: (name: string) => string): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const known = NAMES.get(name) ?? rename(name)
      NAMES.set(name, known)
      return [known, value]
    }),
  )
}

/** A row with the names of the domain: `created_at` is `createdAt`. */
export const fromRow = <Row extends object>(row: Row) =>
  named(row, name => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())) as {
    [Column in keyof Row & string as Camel<Column>]: Row[Column]
  }

/** The columns of something with the names of the domain: `createdAt` is `created_at`. */
export const toRow = <Item extends object>(item: Item) =>
  named(item, name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)) as {
    [Member in keyof Item & string as Snake<Member>]: Item[Member]
  }
