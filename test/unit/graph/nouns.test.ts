import t from 'tap'
import { stringAt } from '../../../engine/graph/collections/strings.js'
import { isCommonNoun } from '../../../engine/graph/text/truecase.js'
import { entity, lines } from '../../jsonl.js'
import { indexOf } from './source.js'

t.test('a word behind articles in more than a quarter of its passages is a common noun', async t => {
  t.ok(isCommonNoun(3, 10))
  t.notOk(isCommonNoun(2, 10))
  t.notOk(isCommonNoun(0, 2))
})

t.test('German nouns become no entities, German names do', async t => {
  const texts = [
    'Die Verfassung von Warschau ist nicht alt, und das neue Gesetz gilt noch für die USA.',
    'In Warschau wurde die neue Verfassung im Sommer geschrieben, und alle waren froh über das Gesetz der USA.',
    'Von Warschau bis zum Meer sind es viele Stunden, und das Gesetz ist eine alte Verfassung.',
  ]
  const entities = await phrasesOf(texts)
  t.same(entities, ['warschau'])
})

t.test('an abbreviation is a name behind an article, too', async t => {
  const texts = [
    'Er war für die NATO in der Stadt, und das ist nicht alles.',
    'Das ist die NATO, wie wir sie kennen und nicht anders.',
  ]
  t.same(await phrasesOf(texts), ['nato'])
})

t.test('an article makes no common noun of an English name', async t => {
  const texts = [
    'They were near the Thames and it was cold.',
    'We went to the Thames when there was no rain.',
  ]
  t.same(await phrasesOf(texts), ['thames'])
})

/** The entities that a Safe of these passages has besides those named in its rows. */
async function phrasesOf(texts: readonly string[]): Promise<string[]> {
  const { index } = await indexOf(lines(...texts.map((text, at) => entity(`note ${at}`, 'note', text))))
  return Array.from({ length: index.entities.size - index.named }, (_, at) =>
    stringAt(index.entities, index.named + at),
  )
}
