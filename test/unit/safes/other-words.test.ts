import t from 'tap'
import { otherWordsOf } from '../../../domain/safes/ask/other-words.js'
import { checkedQuestion } from '../../../domain/safes/ask/question.js'

const safe = '0'.repeat(22)

t.test('GRAPH §5, X14 other words are a list, one text, or JSON in a text; nothing is nothing', async t => {
  const two = ['repair', 'dry dock']
  const cases: [given: string | string[] | null | undefined, phrases: string[]][] = [
    [two, two],
    ['repair, dry  dock;\nslip', [...two, 'slip']],
    [
      ['repair, dry dock', ' slip '],
      [...two, 'slip'],
    ],
    ['["repair", "dry dock", 7]', two],
    ['[repair', ['[repair']],
    [['Repair', 'repair', ' REPAIR'], ['Repair']],
    [null, []],
    [undefined, []],
    ['', []],
    [[' ', ',,;'], []],
  ]
  for (const [given, phrases] of cases)
    t.strictSame(otherWordsOf(given), { phrases, notes: [] }, JSON.stringify(given))
})

t.test('GRAPH §5, X14 more than six phrases, and long ones, are cut, and the answer says so', async t => {
  const seven = otherWordsOf('a, b, c, d, e, f, g')
  t.strictSame(seven.phrases, ['a', 'b', 'c', 'd', 'e', 'f'])
  t.match(seven.notes, [/"other_words" takes at most 6 phrases of at most 80 characters/])
  t.strictSame(otherWordsOf('a, b, c, d, e, f, A').notes, [], 'a repeated phrase is not one too many')
  const [long = ''] = otherWordsOf(`${'word '.repeat(15)}longer than that`).phrases
  t.equal(long, 'word '.repeat(15).trim(), 'at a whole word')
  t.equal(otherWordsOf(`${'word '.repeat(15)}words and`).phrases[0]?.length, 80)
  t.strictSame(otherWordsOf('\u{1f680}'.repeat(50)).phrases, ['\u{1f680}'.repeat(40)])
  t.strictSame(otherWordsOf(`x${'\u{1f680}'.repeat(50)}`).phrases, [`x${'\u{1f680}'.repeat(39)}`], 'no half')
  for (const text of [',', 'a', '[', 'a,', ' ']) {
    const { phrases } = otherWordsOf(text.repeat(100_000))
    t.ok(phrases.length <= 6 && phrases.every(phrase => phrase.length <= 80))
  }
})

t.test('GRAPH §5 other words are part of a cursor’s identity, however they were written', async t => {
  const identity = (otherWords?: string | string[] | null) =>
    checkedQuestion(safe, { query: 'boat', ...(otherWords !== undefined && { otherWords }) }).identity
  t.equal(identity('repair, slip'), identity(['repair', ' slip']))
  t.not(identity('repair'), identity('slip'))
  t.not(identity('repair'), identity())
  for (const nothing of ['', null, []]) t.equal(identity(nothing), identity())
})

t.test('other words without a query are refused, and so is NUL', async t => {
  t.throws(() => checkedQuestion(safe, { otherWords: 'boat' }), { message: /only add to a "query"/ })
  t.throws(() => checkedQuestion(safe, { query: 'x', otherWords: 'a\0b' }), { message: /NUL/ })
  t.strictSame(checkedQuestion(safe, { entities: ['Ada'], otherWords: 'boat' }).question.otherWords, ['boat'])
  t.notOk('otherWords' in checkedQuestion(safe, { query: 'x', otherWords: '' }).question)
})
