import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type * as recheck from 'recheck'
import type { Diagnostics } from 'recheck'
import t from 'tap'
import {
  type Expression,
  expressions,
  expressionsIn,
  readSource,
  sourceFiles,
} from './regular-expressions.js'

/**
 * Limits count steps: with limits of time, a slow machine would find other expressions than a quick one. Repetitions go
 * to the exact checker as long as their automaton is small, because the other checker takes seconds of trying. An
 * expression that takes a minute must be simplified: all together have the minutes in `parts.ts`.
 */
const limits = {
  ...{ timeout: 60_000, attackTimeout: null, incubationTimeout: null },
  ...{ maxRepeatCount: 1_500, maxPatternSize: 10_000, maxNFASize: 3_000 },
}

// By default it starts a JVM if there is one, which takes several times as long to warm up.
if (process.platform === 'linux' && process.arch === 'x64') process.env.RECHECK_BACKEND ??= 'native'
const checkers = Array.from({ length: Math.min(availableParallelism(), 4) }, newChecker)

const all = [...new Map(expressions().map(one => [`/${one.source}/${one.flags}`, one])).values()]

t.test('every regular expression takes linear time (recheck)', async t => {
  t.ok(all.length > 300, 'they are found')
  for (const [{ place, source, flags }, result] of await checked(all)) {
    t.equal(result.status, 'safe', `${place} /${source}/${flags} ${resultOf(result)}`)
  }
})

t.test('the checker finds what has held the service for seconds', async t => {
  const before = [
    '^(.*?):(ID|[a-z]+(?:\\{.*\\})?)(\\[\\])?(?:\\((.*)\\))?(?:\\{.*\\})?$',
    '^#{1,6}\\s+(.*?)\\s*#*$',
    '[#/]+$',
    '^\\s*-\\s+(.*)$',
  ]
  const results = await checked(before.map(source => ({ place: '', source, flags: '' })))
  for (const [{ source }, { status }] of results) t.equal(status, 'vulnerable', source)
})

t.test(
  'texts are normalized by normalForm only, which cuts runs of marks; a password is short, and browsers read their own files',
  t => {
    const found = sourceFiles().filter(path => /\.normalize\('NF/.test(readSource(path)))
    t.strictSame(found, [
      'domain/accounts/credentials.ts',
      'domain/accounts/password.ts',
      'public/archive.js',
    ])
    t.end()
  },
)

t.test('it finds literals, patterns built from strings, and those of schemas', t => {
  const text = [
    "const name = '[a-z]'",
    'const one = /a+/g',
    'new RegExp(`^$'.concat("{name}{2}$`, 'u')"),
    "Type.String({ pattern: '^x' })",
  ].join('\n')
  t.strictSame(expressionsIn('file.ts', text), [
    { place: 'file.ts:2', source: 'a+', flags: 'g' },
    { place: 'file.ts:3', source: '^[a-z]{2}$', flags: 'u' },
    { place: 'file.ts:4', source: '^x', flags: 'u' },
  ])
  t.throws(() => expressionsIn('file.ts', 'RegExp(input)'), /file.ts:1/)
  t.end()
})

/** As many at once as there are processors: each copy of the module has its own process. */
async function checked(all: readonly Expression[]): Promise<[Expression, Diagnostics][]> {
  const waiting = [...all]
  const results: [Expression, Diagnostics][] = []
  const work = async ({ check }: typeof recheck) => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      // The flag for remembered places (d) changes no time, and recheck does not know it.
      results.push([one, await check(one.source, one.flags.replace('d', ''), limits)])
    }
  }
  await Promise.all(checkers.map(work))
  return results
}

function newChecker(): typeof recheck {
  const require = createRequire(import.meta.url)
  delete require.cache[require.resolve('recheck')]
  return require('recheck')
}

/** Without the attack string, which is long. */
function resultOf(result: Diagnostics): string {
  if (result.status === 'safe') return ''
  return result.status === 'vulnerable' ? result.complexity.summary : JSON.stringify(result.error)
}
