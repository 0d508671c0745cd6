import t from 'tap'
import type { SafeIndex } from '../../../engine/graph/index/safe-index.js'
import { withMode } from '../../../engine/graph/modes/auto-mode.js'
import {
  DIFFERENCE_FORM,
  namesIn,
  PAIR_FORM,
  PATH_FORMS,
} from '../../../engine/graph/text/languages/forms.js'
import { entity, lines } from '../../jsonl.js'
import { indexOf } from './source.js'

/** A Safe of two people, one place and one text, in a language. */
async function safeOf(names: readonly [string, string], text: string, type = 'person') {
  const notes = entity('note 1', 'note', text, text.slice(0, -1))
  return (await indexOf(lines(...names.map(name => entity(name, type)), notes))).index
}

const modeOf = (index: SafeIndex, query: string) => withMode(index, { query, limit: 10, offset: 0 })

/** Language | two names | a text of the Safe | a question about the first | the connection between the two. */
const asked = new Map(
  `
  en | Ada Holm | Red Rock | She is the owner of it. | Who is Ada Holm? | How are Ada Holm and Red Rock related?
  de | Ada Holm | Roter Fels | Sie ist die Besitzerin von allem, was dort ist. | Wer ist Ada Holm? | Wie hängen Ada Holm und Roter Fels zusammen?
  es | Ada Holm | Roca Roja | Ella es la dueña de todo lo que está en el puerto. | ¿Quién es Ada Holm? | ¿Qué relación hay entre Ada Holm y Roca Roja?
  fr | Ada Holm | Roche Rouge | Elle est la propriétaire de tout ce qui est dans le port. | Qui est Ada Holm ? | Comment sont liés Ada Holm et Roche Rouge ?
  it | Ada Holm | Roccia Rossa | Lei è la proprietaria di tutto quello che sta nel porto. | Chi è Ada Holm? | Come sono collegati Ada Holm e Roccia Rossa?
  pt | Ada Holm | Rocha Vermelha | Ela é a dona de tudo o que está no porto, e não é pouco. | Quem é Ada Holm? | Que relação há entre Ada Holm e Rocha Vermelha?
  nl | Ada Holm | Rode Rots | Zij is de eigenaar van alles wat er in de haven is. | Wie is Ada Holm? | Hoe hangen Ada Holm en Rode Rots samen?
  sv | Ada Holm | Röda Klippan | Hon är ägare till allt som är i hamnen och inte i staden. | Vem är Ada Holm? | Hur hänger Ada Holm och Röda Klippan ihop?
  pl | Ada Holm | Czerwona Skała | Ona jest tu od dawna, ale nie wie, co to jest za port. | Kto to jest Ada Holm? | Co łączy Ada Holm i Czerwona Skała?
  ru | Анна Каренина | Москва | Она была там, где всё это уже было, и не знала об этом. | Кто такая Анна Каренина? | Как связаны Анна Каренина и Москва?
  uk | Леся Українка | Київ | Вона була там, де все це вже було, і не знала про це. | Хто така Леся Українка? | Як пов’язані Леся Українка і Київ?
  tr | Ada Holm | Kızıl Kaya | Bu liman onun için çok önemli ve daha büyük bir yer yok. | Ada Holm kimdir? | Ada Holm ile Kızıl Kaya arasındaki ilişki nedir?
  ar | ليلى | القاهرة | هي التي كانت في الميناء مع كل من كان هناك. | من هي ليلى؟ | ما العلاقة بين ليلى والقاهرة؟
  zh | 王小明 | 北京大学 | 他是这个学校的老师。 | 王小明是谁？ | 王小明和北京大学有什么关系？
  ja | 山田太郎 | 東京大学 | 彼はこの学校の先生です。 | 山田太郎とは誰ですか？ | 山田太郎と東京大学の関係は何ですか？
  `
    .trim()
    .split('\n')
    .map(line => line.trim().split(' | '))
    .map(([code = '', one = '', other = '', text = '', who = '', path = '']) => [
      code,
      { names: [one, other] as const, text, who, path },
    ]),
)

for (const [code, { names, text, who, path }] of asked) {
  t.test(`a question for one name is for the entity, one for two names for their path: ${code}`, async t => {
    const index = await safeOf(names, text)
    t.match(modeOf(index, who), { mode: 'entity', entities: [names[0]] }, who)
    t.match(modeOf(index, path), { mode: 'path', from: names[0], to: names[1] }, path)
    t.match(modeOf(index, `${who} 12345 xyzzy`), { mode: 'search' }, 'but not with more words')
  })
}

t.test('an inflected name is the entity’s', async t => {
  const russian = await safeOf(['Москва', 'Анна Каренина'], asked.get('ru')?.text ?? '')
  t.match(modeOf(russian, 'Что ты знаешь о Москве?'), { mode: 'entity', entities: ['москва'] })
  t.match(modeOf(russian, 'путь между Москвой и Анной Карениной'), {
    mode: 'path',
    from: 'москва',
    to: 'анна каренина',
  })
})

t.test('a list of all entities of a type is an overview, whatever the form of its name', async t => {
  const german = await safeOf(['Ada Holm', 'Roter Fels'], asked.get('de')?.text ?? '', 'Leuchtturm')
  t.match(modeOf(german, 'Welche Leuchttürme gibt es?'), {
    mode: 'overview',
    types: ['leuchtturm'],
  })
  t.match(modeOf(german, 'Zeige mir alle Leuchttürme'), {
    mode: 'overview',
    types: ['leuchtturm'],
  })
})

t.test('a question for two names is cut where the first words for it stand', t => {
  const found = (query: string) =>
    PATH_FORMS.flatMap(form => [namesIn(form, query) ?? []].filter(({ length }) => length > 0))
  const cases: [string, [string, string] | null][] = [
    ['between Ada and Bo', ['Ada', 'Bo']],
    ['the path between between and Ada and Bo', ['between', 'Ada and Bo']],
    ['between Ada', null],
    ['between and Ada', null],
    ['between Ada and', null],
    ['wie hängen Ada und Bo und Cy zusammen', ['Ada', 'Bo und Cy']],
    ['wie hängen Ada und Bo', null],
    ['hur hänger Ada och Bo ihop', ['Ada', 'Bo']],
    ['hur hänger Ada och Bo', ['Ada', 'Bo']],
    ['how are Ada and Bo related', ['Ada', 'Bo']],
    ['Ada ile Bo arasındaki ilişki nedir', ['Ada', 'Bo']],
    ['Ada ile Bo arasındakiler', null],
    ['和平和战争有什么关系', ['和平', '战争']],
    ['山田太郎と東京大学の関係は何', ['山田太郎', '東京大学']],
  ]
  for (const [query, names] of cases) t.strictSame(found(query), names ? [names] : [], query)
  t.strictSame(namesIn(PAIR_FORM, 'ليلى والقاهرة'), ['ليلى', 'القاهرة'])
  t.strictSame(namesIn(PAIR_FORM, 'compare Ada vs. Bo'), ['Ada', 'Bo'])
  t.strictSame(namesIn(DIFFERENCE_FORM, 'Unterschied zwischen Ada und Bo'), ['Ada', 'Bo'])
  t.end()
})

t.test('names that begin like a word for "and" are whole', async t => {
  const index = await safeOf(['Ada Alt', 'Ole Eide'], asked.get('en')?.text ?? '')
  t.match(modeOf(index, 'path between Ada Alt and Ole Eide'), {
    mode: 'path',
    from: 'Ada Alt',
    to: 'Ole Eide',
  })
  t.match(modeOf(index, 'Ada Alt and Ole Eide'), { mode: 'entity', entities: ['Ada Alt', 'Ole Eide'] })
})
