import t from 'tap'
import { frequency } from '../../../engine/graph/index/bm25.js'
import { query } from '../../../engine/graph/retrieval/query.js'
import { readQuestion } from '../../../engine/graph/retrieval/question-word.js'
import { codesOf, LanguageDetector, languageOfQuestion } from '../../../engine/graph/text/languages/detect.js'
import {
  english,
  isStopWordIn,
  LANGUAGES,
  languageOf,
  marksIn,
  stemIn,
} from '../../../engine/graph/text/languages/language.js'
import { foldWord, words, wordsAt } from '../../../engine/graph/text/text.js'
import { entity, lines } from '../../jsonl.js'
import { indexOf } from './source.js'

/** Words and their stems as indexes contain them: `LAYOUT_VERSION` must be raised when one changes. */
const held: Record<string, [string, string]> = {
  ar: ['والجامعات', 'والجامعا'],
  bg: ['книгата', 'книг'],
  da: ['husene', 'hus'],
  de: ['Verfassungen', 'verfass'],
  el: ['δρόμων', 'δρομ'],
  es: ['canciones', 'cancion'],
  fi: ['kirjassa', 'kirj'],
  fr: ['continuellement', 'continuel'],
  ga: ['leabhair', 'leabhair'],
  hi: ['लड़कों', 'लड़क'],
  hu: ['könyveket', 'konyv'],
  hy: ['գրքերը', 'գրքերը'],
  id: ['dimakan', 'makan'],
  it: ['continuamente', 'continu'],
  lt: ['knygoms', 'knyg'],
  ne: ['किताबहरू', 'किताब'],
  nl: ['vergaderingen', 'vergader'],
  no: ['husene', 'hus'],
  pt: ['universidades', 'univers'],
  ro: ['universității', 'universitat'],
  ru: ['городами', 'город'],
  sr: ['књигама', 'knjig'],
  sv: ['flickorna', 'flick'],
  ta: ['புத்தகங்கள்', 'புத்தகம்'],
  tr: ['kitaplarımızdan', 'kitap'],
  uk: ['містами', 'міст'],
  en: ['organisations', 'organ'],
}

t.test('stems are those that indexes hold', async t => {
  for (const [code, [word, stem]] of Object.entries(held)) {
    t.equal(stemIn(languageOf(code) ?? english, word), stem, code)
  }
})

t.test('letters that are written in several ways are one in searches', async t => {
  for (const same of [
    'Straße STRASSE strasse',
    'ёлка елка ЁЛКА',
    'İstanbul ISTANBUL ıstanbul istanbul',
    'ΟΔΟΣ οδός οδοσ',
    'مُدَرِّسَة مدرسة مدرسه',
    'كـــتاب كتاب',
    'أحمد احمد',
    'على علي',
    'שָׁלוֹם שלום',
    'Ｆｕｌｌ full',
    '٢٠٢٤ २०२४ 2024',
    'Ærø aero',
    'Łódź lodz',
  ]) {
    t.equal(new Set(same.split(' ').map(foldWord)).size, 1, same)
  }
  for (const other of ['мой мои', 'їх іх', 'か が', 'ป่า ปา']) {
    t.equal(new Set(other.split(' ').map(foldWord)).size, 2, other)
  }
})

t.test('articles without their vowel are words of their own', async t => {
  t.same(words("l'eau de l’université, d'Artagnan, dell'arte"), [
    ...['l', 'eau', 'de', 'l', 'universite', 'd', 'artagnan', 'dell', 'arte'],
  ])
  t.same(words("O'Brien's don't"), ['obrien', 'dont'])
  const text = "dans l'eau"
  for (const { text: word, start, end } of wordsAt(text)) t.equal(text.slice(start, end), word)
})

t.test('a Turkish suffix behind an apostrophe does not count', async t => {
  const turkish = languageOf('tr') ?? english
  t.equal(stemIn(turkish, 'Ankara’nın'), stemIn(turkish, 'Ankara'))
  t.equal(stemIn(turkish, "İstanbul'da"), stemIn(turkish, 'İstanbul'))
})

t.test('a Turkish name with an ending is the name', async t => {
  const { index } = await safeOf(
    'Bu kitap Salih Zeki’nin en önemli kitabıdır ve çok da büyük değil.',
    'Daha sonra Salih Zeki için bir okul yapıldı ve o da büyük.',
  )
  const linked = query(index, { query: "Salih Zeki'ye ne verildi?", limit: 5, offset: 0 }).linked
  t.same(
    linked.map(({ entity }) => entity),
    ['salih zeki'],
  )
})

t.test('a German question finds nouns and verbs with the root of its words', async t => {
  const { index } = await safeOf(
    'Die Dauer beträgt zwei Stunden und ist auch nicht verhandelbar.',
    'Für eine exakte Zählung der Gäste gibt es eine Schranke in der Tür.',
    'Das Regal lässt sich in der Ecke einbauen und ist dann nicht mehr beweglich.',
    'Die Mitglieder wählen den Vorstand, aber nur in jedem zweiten Jahr.',
  )
  const german = languageOf('de') ?? english
  const isFound = (asked: string, written: string) =>
    t.ok(readQuestion(index, asked, 1)[0]?.stems.includes(stemIn(german, written)), `${asked}: ${written}`)
  isFound('dauert', 'Dauer')
  isFound('zählt', 'Zählung')
  isFound('eingebaut', 'einbauen')
  isFound('Wählung', 'wählen')
  t.equal(readQuestion(index, 'verhandelt', 1)[0]?.stems.length, 1, 'only words that the Safe has')
})

t.test('a word of another script is stemmed by a language of that script', async t => {
  const german = languageOf('de') ?? english
  t.equal(stemIn(german, 'городов'), stemIn(languageOf('ru') ?? english, 'город'))
  t.equal(stemIn(languageOf('ru') ?? english, 'managers'), stemIn(english, 'manager'))
})

t.test('a word at which a stemmer fails is its own stem, and its Safe can be asked', async t => {
  for (const word of ['времена', 'човеци', 'времени', 'решения'])
    t.equal(stemIn(languageOf('bg') ?? english, word), word)
  const text = 'Това са нашите времена и те не са като на другите човеци, които са били тук преди нас.'
  const { index, rows } = await indexOf(lines(entity('Времена', 'note', text)))
  const { passages } = query(index, { query: 'Какви са времена на човеци?', limit: 5, offset: 0 })
  t.equal(passages[0] && rows.passage(passages[0].ref).text, text)
})

t.test('stems of very long words cost nothing', async t => {
  const long = 'a'.repeat(1_000_000)
  for (const language of LANGUAGES) t.equal(stemIn(language, long).length, long.length)
})

t.test('no language has a function word that is not its own form', async t => {
  t.ok(LANGUAGES.length <= 31, 'a set of languages is the bits of one number')
  for (const { code } of LANGUAGES) t.ok(/^[a-z]{2}$/.test(code))
  t.equal(marksIn('the'), 1)
  t.equal(isStopWordIn(languageOf('de') ?? english, foldWord('für')), true)
})

const texts: Record<string, string> = {
  en: 'The lighthouse was built on the rock where the old harbour had been.',
  de: 'Der Leuchtturm wurde auf dem Felsen gebaut, wo der alte Hafen gewesen war.',
  es: 'El faro fue construido sobre la roca donde estaba el puerto antiguo.',
  fr: 'Le phare a été construit sur le rocher où se trouvait l’ancien port.',
  it: 'Il faro è stato costruito sulla roccia dove si trovava il vecchio porto.',
  pt: 'O farol foi construído sobre a rocha onde ficava o antigo porto, que não existe mais.',
  nl: 'De vuurtoren werd gebouwd op de rots waar de oude haven was geweest.',
  sv: 'Fyren byggdes på klippan där den gamla hamnen hade varit, och som nu är borta.',
  da: 'Fyrtårnet blev bygget på klippen, hvor den gamle havn havde været, og hvad der nu er væk.',
  fi: 'Majakka rakennettiin kalliolle, jossa vanha satama oli ollut, mutta se ei ole enää siellä.',
  hu: 'A világítótorony arra a sziklára épült, ahol a régi kikötő volt, és most már nincs ott.',
  pl: 'Latarnia została zbudowana na skale, na której był stary port, ale nie ma go już tam.',
  ro: 'Farul a fost construit pe stânca unde era vechiul port, care nu mai este acolo.',
  tr: 'Deniz feneri eski limanın olduğu kayanın üzerinde inşa edildi ve bu daha çok var.',
  id: 'Mercusuar itu dibangun di atas batu karang yang dulu adalah pelabuhan, dan tidak ada lagi.',
  ru: 'Маяк был построен на скале, где раньше был старый порт, но его уже нет.',
  uk: 'Маяк був побудований на скелі, де раніше був старий порт, але його вже немає, що є.',
  bg: 'Фарът е построен на скалата, където е било старото пристанище, но то вече не е там.',
  el: 'Ο φάρος χτίστηκε στον βράχο όπου ήταν το παλιό λιμάνι, που δεν είναι πια εκεί.',
  ar: 'تم بناء المنارة على الصخرة التي كان فيها الميناء القديم، لكن هذا ليس هناك.',
  he: 'המגדלור נבנה על הסלע שבו היה הנמל הישן, אבל הוא כבר לא שם.',
  hi: 'प्रकाशस्तंभ उस चट्टान पर बनाया गया था जहाँ पुराना बंदरगाह था और वह अब नहीं है।',
}

t.test('the language of a text is known by its function words', async t => {
  for (const [code, text] of Object.entries(texts)) {
    t.equal(new LanguageDetector().next(marked(text)).code, code, text)
  }
})

t.test('a text without function words is in the language of the others', async t => {
  const detector = new LanguageDetector()
  detector.next(marked(texts.de ?? ''))
  t.equal(detector.next(marked('Müllabfuhr Donnerstag 17 Uhr')).code, 'de')
  t.equal(detector.next(marked(texts.fr ?? '')).code, 'fr')
  t.equal(codesOf(detector.languages()), 'de fr')
  t.equal(new LanguageDetector().next(marked('维生素 D 是一种脂溶性维生素，对骨骼健康很重要。')).code, 'en')
})

t.test('a question is in the language its words say, or else in the Safe’s', async t => {
  const known = ['de', 'en'].map(code => languageOf(code) ?? english)
  const of = (question: string) => languageOfQuestion(question.split(' '), known).code
  t.equal(of('Wer repariert den Leuchtturm'), 'de')
  t.equal(of('Who repairs the lighthouse'), 'en')
  t.equal(of('Leuchtturm'), 'de')
  t.equal(of('Qui répare le phare du port'), 'fr')
})

function marked(text: string): number[] {
  return wordsAt(text).map(({ text }) => marksIn(text))
}

/** A Safe of notes, one passage each. */
async function safeOf(...observations: string[]) {
  const notes = observations.map((text, at) => entity(`note ${at}`, 'note', text))
  const { rows, index } = await indexOf(lines(...notes))
  const found = (question: string) =>
    query(index, { query: question, limit: 10, offset: 0 }).passages.map(({ ref }) => rows.passage(ref).text)
  return { index, found, best: (question: string) => found(question)[0] }
}

t.test('a Safe of several languages answers each in its own forms', async t => {
  const german = 'Die Universitäten haben in diesem Jahr neue Häuser gebaut, und das ist noch nicht alles.'
  const english = 'The universities were building new houses in this year, and that is not all.'
  const others = [
    'Der Hund schläft in der Küche, weil es dort warm ist und er gern isst.',
    'The dog sleeps in the kitchen because it is warm there and he likes food.',
    'Die Katze liegt auf dem Dach, weil sie dort die Sonne hat und nicht der Hund.',
  ]
  const { index, best } = await safeOf(german, english, ...others)
  t.equal(index.languages, 'de en')
  t.equal(best('Welches Haus baut die Universität?'), german)
  t.equal(best('Which house does a university build?'), english)
  t.same(
    readQuestion(index, 'Wer war an der Universität?', 10).map(({ stop }) => stop),
    [true, true, true, true, false],
  )
})

t.test('a word has its stem in each language of the Safe, that of the question first', async t => {
  const { index } = await safeOf(
    'Die Wanderungen sind in den Alpen und nicht am Meer.',
    'The hikings are in the Alps and not at the sea wanderungen.',
  )
  const [, word] = readQuestion(index, 'Welche Wanderungen', 10)
  t.equal(word?.stem, stemIn(languageOf('de') ?? english, 'Wanderungen'))
  t.equal(word?.stems.length, 2)
})

t.test('neighbours of a script without spaces are found together', async t => {
  const capital = '東京は大きな都市で、たくさんの人が住んでいます。'
  const old = '東の京は古い。'
  const { index, best } = await safeOf(old, capital)
  t.equal(frequency(index.text, '東京'), 1)
  t.equal(frequency(index.text, '東'), 2)
  t.equal(best('東京を見たい'), capital)
})

t.test('a long question is read to its end, in any script', async t => {
  // 40 characters are 40 stems, and 39 pairs of neighbours.
  const thai = 'กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ'
  const words = Array.from({ length: 40 }, (_, at) => `w${at}ord`)
  const cases = [
    [words.join(' '), 'the lamp', 'a rope'],
    [thai, 'ฯาเๅ', 'โใไๆ'],
  ] as const
  for (const [beginning, asked, other] of cases) {
    const { found } = await safeOf(other, asked, beginning)
    const texts = found(`${beginning} ${asked}`)
    t.ok(texts.includes(asked) && !texts.includes(other), `${asked}: ${texts.length} found`)
  }
})
