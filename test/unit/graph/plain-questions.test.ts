import t from 'tap'
import { findString } from '../../../engine/graph/collections/strings.js'
import type { SafeIndex } from '../../../engine/graph/index/safe-index.js'
import { link } from '../../../engine/graph/retrieval/link.js'
import { NameWorth } from '../../../engine/graph/retrieval/name-worth.js'
import { forwardPush } from '../../../engine/graph/retrieval/push.js'
import { entity, lines, relation } from '../../jsonl.js'
import { askerOf } from './source.js'

const note = (name: string, ...observations: string[]) => entity(name, 'x', ...observations)

async function safeOf(...statements: string[]) {
  const { index, search } = await askerOf(['jsonl', lines(...statements)])
  const ask = (asked: string, otherWords?: string[]) => {
    const { ranking, said: facts, texts: passages } = search(asked, otherWords && { otherWords })
    return { ranking, facts, passages }
  }
  return { index, ask }
}

/** Notes with these words, to make them common. */
const fill = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => note(`Filling ${at}`, text(at)))

const massOf = (index: SafeIndex, asked: string, key: string) =>
  link(index, asked).links.find(({ entity }) => entity === findString(index.entities, key))?.mass ?? 0

t.test('a name weighs what its words are worth, less for each passage with it (GRAPH §3.2)', async t => {
  const { index } = await safeOf(
    note('Zephyrine', 'A boat.'),
    note('list', 'What is on it.'),
    ...fill(30, at => `On the list stands item ${at}.`),
  )
  const worth = new NameWorth(index)
  const word = (stem: string) => ({ stem, stop: false })
  t.equal(worth.sizeOf([{ stem: 'the', stop: true }]), 0.2)
  t.equal(worth.sizeOf([word('unheardof')]), 1)
  const passages = index.passages.count
  const df = 31
  t.equal(
    worth.passagesOf(findString(index.entities, 'list'), [word('list')]),
    df,
    'all passages with the word',
  )
  const size = Math.log(1 + passages / (1 + df)) / Math.log(1 + passages)
  t.ok(Math.abs(massOf(index, 'what is on the list', 'list') - size / df ** 0.75) < 1e-9)
  t.ok(massOf(index, 'where is zephyrine', 'zephyrine') > 30 * massOf(index, 'what is on the list', 'list'))
})

t.test('of a large Safe only a part of the passages counts against trust in a name (GRAPH §3.3)', t => {
  const worthIn = (count: number) => new NameWorth({ passages: { count } } as SafeIndex)
  t.equal(worthIn(1_000).trust(2, 1, 16), 2 / 8)
  t.equal(worthIn(4_000).trust(2, 1, 32), 2 / 8)
  t.equal(worthIn(4_000).trust(2, 0.5, 1), 1, 'never more than words × share')
  t.end()
})

t.test('a common word that is also a name does not take a plain question over (GRAPH §3.3)', async t => {
  const { ask } = await safeOf(
    note('note', 'A file of the vault.'),
    note('Cellar', 'Damp paper dries on the iron rack; write a note there when the rack is full.'),
    ...fill(20, at => `A note on subject ${at} of the vault.`),
  )
  t.match(ask('where do I dry damp paper before I file the note').passages[0], /^Damp paper/)
})

t.test('names that are as much like a word share what it gives', async t => {
  const { index } = await safeOf(
    note('Harbour Council 1', 'They met on Monday and spoke of ropes.'),
    note('Harbour Council 2', 'They met on Tuesday and spoke of paint.'),
    note('Harbour Council 3', 'They met on Friday and spoke of lamps.'),
  )
  const { links } = link(index, 'Which Harbuor Council spoke of paint?')
  const masses = links.filter(({ mass }) => mass > 0).map(({ mass }) => mass)
  t.equal(masses.length, 3)
  t.equal(new Set(masses).size, 1)
})

t.test('a passage between passages with the words is before one that stands alone (GRAPH §3.4)', async t => {
  const { ask } = await safeOf(
    note('Alone', 'Nothing here.', 'The varnish arrived.', 'Nothing there.'),
    note('Log', 'Which varnish did we order?', 'The varnish arrived.  ', 'Varnish is stored in the shed.'),
    ...fill(12, at => `Something else, ${at}.`),
  )
  const { passages } = ask('did the varnish ever arrive')
  t.equal(passages[0], 'The varnish arrived.  ')
})

t.test('other words find what the question does not say, and count less than it (GRAPH §3.4)', async t => {
  const { ask } = await safeOf(
    note('Ferry', 'The boat leaves at nine; a timetable hangs at the shipyard.'),
    note('Slipway', 'The overhaul takes place in March, at the shipyard.'),
    note('Kitchen', 'Soup on Mondays.'),
    ...fill(10, at => `Entry ${at} of the diary.`),
  )
  const asked = 'when does one make it whole again'
  t.notOk(ask(asked).passages.includes('The overhaul takes place in March, at the shipyard.'))
  t.match(ask(asked, ['repair', 'overhaul', 'shipyard']).passages[0], /overhaul/)
  t.match(ask('soup on which day', ['overhaul']).passages[0], /Soup/)
  t.strictSame(ask(asked, []).ranking, ask(asked).ranking, 'no phrases: the same answer')
  t.strictSame(ask(asked, ['the of a']).ranking, ask(asked).ranking, 'nor do words that say nothing matter')
})

t.test('a second round begins with what the best passages mention (GRAPH §3.6)', async t => {
  const { index } = await safeOf(
    note('Opera House', 'Built by Signe Holm and opened by Opera House friends.'),
    note('Signe Holm', 'Born in Turku.'),
    note('Turku', 'A town.'),
    ...fill(5, at => `Opera House, visit ${at}.`),
  )
  const start = findString(index.entities, 'opera house')
  const signe = findString(index.entities, 'signe holm')
  const match = { ofMention: () => 0, ofPredicate: () => 0 }
  const massOfSigne = (isLinked: (entity: number) => boolean, withHop: boolean) => {
    const hop = withHop ? { factorOf: () => 1, isLinked } : undefined
    const { nodes, values } = forwardPush(index, new Map([[start, 1]]), match, hop)
    t.ok(values.reduce((sum, value) => sum + value, 0) <= 1.25 + 1e-4, 'a quarter is added, at most')
    return values[nodes.indexOf(signe)] ?? 0
  }
  const before = massOfSigne(() => false, false)
  t.ok(massOfSigne(entity => entity === start, true) > 2 * before)
  t.ok(massOfSigne(() => true, true) <= before, 'nothing is left to begin with')
})

t.test('what one passage says by words that no other has goes first', async t => {
  const { ask } = await safeOf(
    note('Meeting 1', 'Signe Holm spoke of ropes, nets, buoys and the budget.'),
    note('Signe Holm', 'Signe Holm keeps bees.'),
    note(
      'Attic',
      'The barometer of polished walnut, a gift of Signe Holm, fell and cracked in the winter storm.',
    ),
    ...fill(10, at => `Entry ${at} of the diary.`),
  )
  t.match(
    ask('Which barometer of polished walnut from Signe Holm cracked in the storm?').passages[0],
    /barometer/,
  )
})

t.test('further passages of one note count less than its first (GRAPH §3.7)', async t => {
  const { ask } = await safeOf(
    note(
      'Pump',
      ...Array.from({ length: 7 }, (_, at) =>
        at % 2 === 0 ? `The sump pump hums, part ${at}.` : `Day ${at}.`,
      ),
    ),
    note('Cellar', 'The sump pump hums in the cellar too, and rather loudly at night as well.'),
    ...fill(10, at => `Entry ${at} of the diary.`),
  )
  const { ranking, passages } = ask('hums sump')
  const at = passages.findIndex(text => text.includes('cellar'))
  t.ok(at > 0 && at < 4, `the other note is at ${at}`)
  const scores = ranking.passages.map(({ score }) => score)
  t.same(
    scores,
    scores.toSorted((a, b) => b - a),
  )
})

t.test('of a name that is everywhere only the facts asked for are in the answer (GRAPH §3.8)', async t => {
  const { ask } = await safeOf(
    note('Foam', 'A program.'),
    relation('Foam', 'written in', 'TypeScript'),
    relation('Foam', 'hosted on', 'Codeberg'),
    ...fill(40, at => `Foam can do thing ${at}.`),
  )
  t.strictSame(ask('how do I make the paper of foam dry again').facts, [])
  t.strictSame(ask('what is foam written in').facts, ['Foam | written in | TypeScript'])
  t.equal(ask('Foam').facts.length, 2, 'with nothing but the name, all of them are asked for')
})

t.test('facts that say only that notes link push no passage out of the first five (GRAPH §3.8)', async t => {
  const { index, ask } = await safeOf(
    note('Lamp Oil', ...Array.from({ length: 7 }, (_, at) => `Lamp oil is bought in autumn, part ${at}.`)),
    ...Array.from({ length: 6 }, (_, at) => relation('Lamp Oil', 'links to', `Thing ${at}`)),
    relation('Lamp Oil', 'bought from', 'Ekman'),
    ...fill(60, at => `Entry ${at} of the diary.`),
  )
  const { ranking } = ask('when is Lamp Oil bought')
  const merged = [
    ...ranking.facts.map(({ ref, score }) => ({ score, link: ref.id <= 6 })),
    ...ranking.passages.map(({ score }) => ({ score, link: false })),
  ].sort((a, b) => b.score - a.score)
  t.ok(index.facts.count === 7 && merged.some(({ link }) => link))
  t.notOk(merged.slice(0, 5).some(({ link }) => link))
})

t.test('a long sequence, a Safe without capitals and one of capitals only are answered', async t => {
  const long = await safeOf(
    note('Log', ...Array.from({ length: 3_000 }, (_, at) => `entry ${at} of the log, salt ${at % 7}`)),
  )
  t.equal(long.ask('what does the log say of entry 2999').passages[0], 'entry 2999 of the log, salt 3')
  const small = await safeOf(
    note('the mill', 'the mill was built by ada of york'),
    note('ada', 'ada of york lived long'),
  )
  t.match(small.ask('who built the mill').passages[0], /built by ada/)
  const shouted = await safeOf(note('MILL', 'THE MILL WAS BUILT BY ADA'), note('ADA', 'ADA LIVED LONG'))
  t.match(shouted.ask('who built the mill').passages[0], /BUILT BY ADA/)
  const one = await safeOf(note('Only', 'One passage.'))
  t.equal(one.ask('which passage is there').passages[0], 'One passage.')
})
