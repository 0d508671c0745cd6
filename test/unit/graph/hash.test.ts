import t from 'tap'
import { hashOf, newHashKey } from '../../../graph/collections/hash.js'
import { findString, StringsBuilder, stringAt } from '../../../graph/collections/strings.js'
import { TripleTable } from '../../../graph/collections/triple-table.js'
import { unkeyedHash } from './unkeyed-hash.js'

t.test('the hash depends on every unit, their order, the length and the key', t => {
  const key = new Uint32Array([0x03020100, 0x07060504])
  const seen = new Set<number>()
  for (let length = 0; length < 2_000; length++) seen.add(hashOf('x'.repeat(length), key))
  t.equal(seen.size, 2_000, 'no two lengths have the same')
  t.not(hashOf('ab', key), hashOf('ba', key))
  t.not(hashOf('a', key), hashOf('a\0', key))
  t.not(hashOf('name', key), hashOf('name', newHashKey()), 'another key, another hash')
  t.end()
})

t.test('names chosen to share bits of the hash of before take no longer than others (hash flooding)', t => {
  const count = 30_000
  const chosen: string[] = []
  for (let i = 0; chosen.length < count; i++) {
    const name = `n${i.toString(36)}`
    if (unkeyedHash(name) >>> 24 === 7) chosen.push(name)
  }
  const others = Array.from({ length: count }, (_, i) => `n${(i * 257).toString(36)}`)
  built(others)
  const [usual, flooded] = [built(others), built(chosen)]
  t.ok(flooded < usual * 5 + 50, `${Math.round(flooded)} ms, others ${Math.round(usual)} ms`)
  t.end()
})

t.test('triples chosen to share bits of the hash of before take no longer than others', t => {
  const count = 20_000
  const chosen: [number, number][] = []
  for (let i = 0; chosen.length < count; i++) {
    const [first, third] = [i % 3_000, Math.floor(i / 3_000)]
    if ((unkeyedTriple(first, 0, third) & 0xff00) === 0) chosen.push([first, third])
  }
  const filled = (triples: [number, number][]) =>
    cpuTime(() => {
      const table = new TripleTable()
      for (const [first, third] of triples) table.add(first, 0, third)
    })
  const others = Array.from({ length: count }, (_, i): [number, number] => [i % 3_000, i])
  filled(others)
  const [usual, flooded] = [filled(others), filled(chosen)]
  t.ok(flooded < usual * 5 + 50, `${Math.round(flooded)} ms, others ${Math.round(usual)} ms`)
  t.end()
})

t.test('strings are found under their number, whatever the key', t => {
  const builder = new StringsBuilder()
  const texts = Array.from({ length: 5_000 }, (_, i) => `text ${i} \u0416`)
  for (const text of texts) builder.add(text)
  const strings = builder.build()
  t.ok(texts.every((text, i) => findString(strings, text) === i && stringAt(strings, i) === text))
  t.equal(findString(strings, 'text'), -1)
  t.end()
})

/** Milliseconds to collect and look up all of them. */
function built(names: readonly string[]): number {
  return cpuTime(() => {
    const builder = new StringsBuilder()
    for (const name of names) builder.add(name)
    const strings = builder.build()
    for (const name of names) findString(strings, name)
  })
}

function cpuTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function unkeyedTriple(first: number, second: number, third: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 0x7f4a7c15, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ Math.imul(third + 0x165667b1, 0x27d4eb2f)
  return (hash ^ (hash >>> 16)) >>> 0
}
