import fc from 'fast-check'
import { pieces } from '../../pieces.js'
import { header } from './headers.js'
import { hostileName, hostileText, hostileValue } from './hostile.js'
import { items, type Plan, type Splice, type Tree } from './plan.js'
import { goods } from './routes.js'

/** One way to spoil a request. `slot` and `other` are taken modulo the number of places. */
type Mutation =
  | { do: 'drop' | 'double' | 'reverse'; slot: number }
  | { do: 'swap'; slot: number; other: number }
  | { do: 'set'; slot: number; value: Tree }
  | { do: 'name'; slot: number; name: string }
  | { do: 'tamper'; slot: number; at: number }
  | { do: 'add'; where: 'query' | 'form' | 'json' | 'parts'; name: string; value: Tree }
  | { do: 'header'; header: [string, string] }
  | { do: 'steal'; slot: number }
  | { do: 'method'; method: string }
  | { do: 'body'; text: string }
  | ({ do: 'splice' } & Splice)

/** Its owner instead, for a request about somebody else's things. */
const OTHERS: Record<string, string> = {
  safe: 'vera.safe',
  import: 'vera.import',
  'import.staged': 'vera.import',
  connection: 'vera.connection',
  consent: 'vera.consent',
  'consent.approve': 'vera.consent',
  'consent.deny': 'vera.consent',
  'email.ann': 'vera.email',
  'id.ann': 'vera.id',
  at: 'at.bob',
  'at.safe': 'at.bob',
  rt: 'vera.secret.rt',
  code: 'vera.secret.code',
  client: 'client.odd',
  callback: 'callback.odd',
  'cookies.ann': 'cookies.bob',
  'csrf.ann': 'csrf.bob',
}

const METHODS = pieces('GET¦HEAD¦POST¦PUT¦PATCH¦DELETE¦OPTIONS¦TRACE¦QUERY¦PROPFIND¦MKCOL¦SEARCH')

/** Bodies that are wrong as a whole. */
const BODIES = pieces(
  '¦{¦[]¦[1,2,3]¦"svc-fuzz"¦null¦\0¦\ufeff{}¦{"a":1}{"b":2}¦‹[*100000›¦{"x":‹0*400›}¦[‹1*50›]',
  '{"__proto__":{"method":"ping"},"constructor":1}',
  '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"tools/list"}',
  '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
  '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  '[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}]',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":{"svc-fuzz":1}}}}',
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}',
  'a=1&a=2&__proto__[x]=1&=&&%&%zz=%c0¦--svc-boundary¦--svc-boundary\r\n\r\n\r\n--svc-boundary--',
  '--svc-boundary\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n‹csrf.ann›\r\n--svc-boundary\r\nContent-Disposition: form-data; name="file"; filename="../../svc-fuzz"\r\n\r\nabc',
  '--svc-boundary\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n--svc-boundary--\r\n',
)

const slot = fc.nat(60)
const at = fc.nat(10_000)
const splice = fc.record({
  do: fc.constant('splice' as const),
  part: fc.constantFrom('path' as const, 'query' as const, 'body' as const, 'body' as const),
  at,
  remove: fc.nat(12),
  insert: hostileText,
})

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('drop', 'double', 'reverse'), slot }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('swap'), slot, other: slot }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('set'), slot, value: hostileText }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('set'), slot, value: hostileValue }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('name'), slot, name: hostileName }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tamper'), slot, at: fc.nat(150) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('add'),
      where: fc.constantFrom('query', 'form', 'json', 'parts'),
      name: hostileName,
      value: hostileValue,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('header'), header }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('method'), method: fc.constantFrom(...METHODS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('body'),
      text: fc.oneof(fc.constantFrom(...BODIES), hostileText),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('steal'), slot }) },
  { weight: 2, arbitrary: splice },
) as fc.Arbitrary<Mutation>

/** A request of one of the routes, spoiled in up to four ways. */
export const plan: fc.Arbitrary<Plan> = fc
  .tuple(
    fc.oneof(...goods.map(({ plan, weight }) => ({ weight, arbitrary: fc.constant(plan) }))),
    fc.array(mutation, { maxLength: 4, size: 'max' }),
  )
  .map(([good, mutations]) => mutations.reduce(mutate, structuredClone(good)))

/** A place in a plan with a value. */
interface Slot {
  parent: Tree[] | Record<string, Tree>
  key: string
  value: Tree
}

function slotsOf(plan: Plan): Slot[] {
  const slots: Slot[] = []
  const visit = (parent: Slot['parent']) => {
    for (const [key, value] of Object.entries(parent)) {
      slots.push({ parent, key, value })
      if (typeof value === 'object' && value !== null) visit(value)
    }
  }
  const { path, query, headers, form, json, parts } = plan
  const root = { path, query, headers, form, json, parts } as Record<string, Tree>
  for (const tree of Object.values(root)) if (typeof tree === 'object' && tree !== null) visit(tree)
  return slots
}

function mutate(plan: Plan, mutation: Mutation): Plan {
  switch (mutation.do) {
    case 'method':
      return { ...plan, method: mutation.method }
    case 'body':
      return { ...plan, text: mutation.text }
    case 'header':
      return { ...plan, headers: [...items(plan.headers), mutation.header] }
    case 'splice':
      return { ...plan, splices: [...(plan.splices ?? []), mutation] }
    case 'add':
      return { ...plan, [mutation.where]: added(plan[mutation.where], mutation) }
    case 'steal':
      return stolen(plan, mutation.slot)
    default:
      spoil(slotsOf(plan), mutation)
      return plan
  }
}

/** Replaces every live value by somebody else's. */
function stolen(plan: Plan, slot: number): Plan {
  const text = JSON.stringify(plan)
  const named = Object.keys(OTHERS).filter(name => text.includes(`‹${name}›`))
  const name = named[slot % named.length]
  return name ? JSON.parse(text.replaceAll(`‹${name}›`, `‹${OTHERS[name]}›`)) : plan
}

function added(to: Tree | undefined, { name, value }: { name: string; value: Tree }): Tree {
  if (typeof to === 'object' && to !== null && !Array.isArray(to)) return { ...to, [name]: value }
  return [...items(to), [name, value]]
}

function spoil(
  slots: Slot[],
  mutation: Exclude<Mutation, { do: 'steal' | 'method' | 'body' | 'header' | 'splice' | 'add' }>,
) {
  const place = slots[mutation.slot % slots.length]
  if (!place) return
  const { parent, key, value } = place
  switch (mutation.do) {
    case 'set':
      return put(parent, key, mutation.value)
    case 'tamper':
      return put(parent, key, typeof value === 'string' ? tamper(value, mutation.at) : String(value))
    case 'swap':
      return swap(slots, place, mutation.other)
    case 'drop':
      return remove(parent, key)
    case 'double':
      if (Array.isArray(parent)) parent.splice(Number(key), 0, structuredClone(value))
      else put(parent, `${key}2`, structuredClone(value))
      return
    case 'reverse':
      if (Array.isArray(parent)) parent.reverse()
      return
    case 'name':
      remove(parent, key)
      if (Array.isArray(parent)) parent.push(mutation.name)
      else put(parent, mutation.name, value)
  }
}

function tamper(text: string, at: number): string {
  return text.includes('›') ? text.replaceAll('›', `~${at}›`) : `${text.slice(0, at)}A${text.slice(at + 1)}`
}

/** Only ends of branches are exchanged, so that no value contains itself. */
function swap(slots: Slot[], { parent, key, value }: Slot, other: number): void {
  const ends = slots.filter(({ value }) => typeof value !== 'object')
  const with_ = ends[other % ends.length]
  if (!with_ || typeof value === 'object') return
  put(parent, key, with_.value)
  put(with_.parent, with_.key, value)
}

function put(parent: Slot['parent'], key: string, value: Tree): void {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true })
}

function remove(parent: Slot['parent'], key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}
