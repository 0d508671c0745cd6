import t from 'tap'
import { type Expected, holdsExpected } from '../../../engine/graph/index.js'

const HOLDING: Record<Expected, string[]> = {
  quantity: ['8 slices', 'drei Boote'],
  duration: ['40 minutes', '3-4 dagen', 'half an hour', 'a full day', 'über Nacht: overnight'],
  degrees: ['180 °C', '350F'],
  date: ['in 1999', 'at 10:30', 'June 5', 'am 5. Mai', 'on Mondays', '13/3'],
  place: ['It is in Jena', 'im „"Hafen"', 'nach **Hamburg', 'near the "Quay"', 'kept in src/notes'],
  person: ['It was Ada Holm', 'made by Ada', 'von Ludwig van Beethoven', 'ask @ada'],
  reason: ['because it leaks', 'um zu helfen'],
  list: ['hammer, saw, file', 'hammer, the saw and a file', 'These are needed:'],
  choice: ["You can't", 'Das geht keinesfalls', 'нельзя'],
}

const LACKING: Record<Expected, string[]> = {
  quantity: ['slices', 'weightless'],
  duration: ['8 boats', '4 boats. The day', 'daylight'],
  degrees: ['8 slices'],
  date: ['in port 12345', 'maybe soon', 'Monda'],
  place: ['in the morning', 'Jena'],
  person: ['Ada Holm made it', 'Nobody. Ada Holm'],
  reason: ['for me'],
  list: ['hammer, saw', 'a; b; c', 'hammer and saw'],
  choice: ['It floats', 'noted'],
}

t.test('a text has what a question asks for, by its words and not by parts of them', async t => {
  for (const [expected, texts] of Object.entries(HOLDING) as [Expected, string[]][])
    for (const text of texts) t.ok(holdsExpected(text, expected), `${expected}: ${text}`)
  for (const [expected, texts] of Object.entries(LACKING) as [Expected, string[]][])
    for (const text of texts) t.notOk(holdsExpected(text, expected), `no ${expected}: ${text}`)
})
