import { Readable } from 'node:stream'
import { normalizeName } from '../../../engine/graph/index.js'
import type { NamedThing } from '../browse/browse.js'
import type { ImportOptions } from '../safe.js'

/** Maximum characters of each name in the name of an import. */
const NAME = 80

/** `from` is merged into `into`, whose name is shown from then on. */
export function mergeFile(into: NamedThing, from: NamedThing, id: string): ImportOptions {
  const lines = [entity(into), same(from, into, id)]
  return file(`merged ${quoted(from.name)} into ${quoted(into.name)}`, lines)
}

/** Makes these things separate again. */
export function splitFile(things: readonly NamedThing[], from: NamedThing, id: string): ImportOptions {
  const [first, ...others] = things
  const what = others.length === 0 && first ? quoted(first.name) : `${things.length} things`
  const lines = things.flatMap(thing => [entity(thing), same(thing, thing, id)])
  return file(`split ${what} from ${quoted(from.name)}`, lines)
}

/** An import that renames a thing. `id` distinguishes it from an earlier one with the same names. */
export function nameFile(thing: NamedThing, name: string, id: string): ImportOptions {
  const lines = [entity(thing), { type: 'alias', name: thing.name, ...key('key', thing), alias: name, id }]
  return file(`${quoted(name)} as another name of ${quoted(thing.name)}`, lines)
}

const entity = (thing: NamedThing) => ({
  type: 'entity',
  name: thing.name,
  ...key('key', thing),
  entityType: '',
  observations: [],
})

/** The id distinguishes the file from an earlier one with the same content, which would be a duplicate. */
const same = (thing: NamedThing, as: NamedThing, id: string) => ({
  type: 'same',
  name: thing.name,
  ...key('key', thing),
  sameAs: as.name,
  ...key('sameAsKey', as),
  id,
})

const key = (member: string, thing: NamedThing) =>
  normalizeName(thing.name) === thing.key ? {} : { [member]: thing.key }

/** JSONL (engine/formats/tables/jsonl.ts). The name of an import has no slashes, because files have folders. */
function file(source: string, lines: readonly object[]): ImportOptions {
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('')
  return {
    source: source.replace(/[\\/]/g, '\u2215'),
    format: 'jsonl',
    bytes: Readable.from([Buffer.from(text)]),
    commit: true,
  }
}

const quoted = (name: string) => `“${name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name}”`
