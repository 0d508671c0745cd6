import t from 'tap'
import { isSameLocation } from '../../../domain/safes/folder-location.js'

const CASES: [one: string, other: string, isSame: boolean, why: string][] = [
  ['/notes', '/notes', true, 'the same path'],
  ['/notes on desk', '/notes on desk', true, 'the same path on the same machine'],
  ['/notes', '/notes on desk', true, 'one names no machine'],
  ['/notes on desk', '/notes on laptop', false, 'another machine'],
  ['/notes', '/notes on Ada/b', false, 'a path that continues'],
  ['/notes', '/other on desk', false, 'another path'],
]

t.test('a folder is known by its path and, where both name one, its machine', async t => {
  for (const [one, other, isSame, why] of CASES) {
    t.equal(isSameLocation(one, other), isSame, why)
    t.equal(isSameLocation(other, one), isSame, `${why}, the other way round`)
  }
})
