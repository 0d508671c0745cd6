import t from 'tap'
import { bestCells } from '../../../domain/safes/ask/lead/cells.js'
import { askedIn } from '../../asked.js'

const ROW =
  'customer id: ALFKI\ncontact name: Maria Anders\ncontact title: Owner\ncity: Berlin\nphone: 030-0074321'

const CASES: Record<string, { cells: string; isNamed: boolean }> = {
  'What is the city of Alfreds Futterkiste?': { cells: 'city: Berlin', isNamed: true },
  'phone and contact name of Alfreds': {
    cells: 'contact name: Maria Anders, phone: 030-0074321',
    isNamed: true,
  },
  'Who is the contact of Alfreds?': {
    cells: 'contact name: Maria Anders, contact title: Owner',
    isNamed: false,
  },
  'Which customer is in Berlin?': { cells: 'city: Berlin', isNamed: false },
  'Is there a phone in Berlin?': { cells: 'phone: 030-0074321', isNamed: false },
}

t.test('what a question asks of a row', async t => {
  for (const [question, { cells, isNamed }] of Object.entries(CASES))
    t.same(
      bestCells('Alfreds Futterkiste', ROW, askedIn(question)),
      { text: `Alfreds Futterkiste — ${cells}`, isNamed },
      question,
    )
  t.equal(bestCells('Alfreds Futterkiste', ROW, askedIn('Who is Alfreds Futterkiste?')), null)
  t.equal(bestCells('A note', 'The city: Berlin.\nIt is\nno\nrow.', askedIn('Which city?')), null)
})
