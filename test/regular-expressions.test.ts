import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { check, type Diagnostics } from 'recheck'
import t from 'tap'
import { type Expression, expressions, expressionsIn, sourceFiles } from './regular-expressions.js'

/** Files with expressions that are not linear, and the most characters these ever see. */
const bounded = new Map([
  // Two names and the words between them: graph/auto-mode.ts tries these forms on questions of up to 400 characters.
  ['graph/languages/forms.ts', 400],
])
/** Milliseconds of processor time in which one of them is done with its worst text; cubic ones take several times that. */
const longest = 20

/** Steps are what counts: with limits of time a slow machine would find other expressions than a quick one. */
const limits = { timeout: 120_000, attackTimeout: null, incubationTimeout: null }

const all = [...new Map(expressions().map(one => [`/${one.source}/${one.flags}`, one])).values()]

t.test('every regular expression takes linear time (recheck)', async t => {
  const unbounded = all.filter(one => !bounded.has(fileOf(one)))
  t.ok(unbounded.length > 100, 'they are found')
  for (const [{ place, source, flags }, result] of await checked(unbounded)) {
    t.equal(result.status, 'safe', `${place} /${source}/${flags} ${resultOf(result)}`)
  }
})

t.test('those that do not are quick on the longest text that they see', t => {
  for (const one of all) {
    const length = bounded.get(fileOf(one))
    if (length === undefined) continue
    for (const text of wordy(one, length)) {
      t.ok(timeOf(one, text) < longest, `${one.place} /${one.source}/${one.flags}`)
    }
  }
  t.end()
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

t.test('texts are normalized by normalForm only, which cuts runs of marks; a password is short', t => {
  const found = sourceFiles().filter(path =>
    /\.normalize\('NF/.test(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')),
  )
  t.strictSame(found, ['plugins/accounts/password.ts'])
  t.end()
})

t.test('it sees literals, patterns put together, and those of schemas', t => {
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

function fileOf({ place }: Expression): string {
  return place.slice(0, place.lastIndexOf(':'))
}

/** As many at once as there are processors: each check is a process of its own where there is a binary for it. */
async function checked(all: readonly Expression[]): Promise<[Expression, Diagnostics][]> {
  const waiting = [...all]
  const results: [Expression, Diagnostics][] = []
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      results.push([one, await check(one.source, one.flags, limits)])
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return results
}

/** Without the text of the attack, which is long. */
function resultOf(result: Diagnostics): string {
  if (result.status === 'safe') return ''
  return result.status === 'vulnerable' ? result.complexity.summary : JSON.stringify(result.error)
}

/** Texts of the expression's own words: all of them over and over, and each one again and again. */
function wordy({ source }: Expression, length: number): string[] {
  const words = [...new Set(source.replace(/\\p\{\w+\}|\\\w/g, ' ').match(/\p{L}+/gu) ?? ['a'])]
  const repeated = (text: string) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
  return [repeated(`${words.join(' ')} `), ...words.map(word => repeated(`${word} `))]
}

function timeOf({ source, flags }: Expression, text: string): number {
  const expression = new RegExp(source, flags)
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    expression.test(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}
