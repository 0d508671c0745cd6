import t from 'tap'
import { entity, lines } from '../../jsonl.js'
import { askerOf } from './source.js'

t.test('a word with a typing error finds what the word finds, and is named', async t => {
  const { search } = await askerOf([
    'jsonl',
    lines(
      entity('Cellar', 'note', 'The sauerkraut ferments for two weeks.'),
      entity('Kitchen', 'note', 'The stove burns paraffin.'),
    ),
  ])
  const right = search('how long does sauerkraut ferment?')
  const typos = ['sauerkrat', 'sauerkrautt', 'sauerkruat', 'sauerkrayt']
  for (const text of typos) {
    const found = search(`how long does ${text} ferment?`)
    t.strictSame(found.corrected, [{ text, word: 'sauerkraut' }])
    t.strictSame(found.passages, right.passages)
    t.strictSame(found.unmatched, right.unmatched)
  }
  t.strictSame(right.corrected, [])
  t.strictSame(search('the paraffins and the xylophone').corrected, [], 'other words are left alone')
  t.strictSame(search('the stova').corrected, [], 'short words too')
})
