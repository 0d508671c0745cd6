import t from 'tap'
import { readBytes, readText } from '../../../domain/safes/documents/document-text.js'
import { hashOfText, Removed } from '../../../domain/safes/removed/removed.js'
import type { StoredDocument } from '../../../domain/safes/stores/document-row.js'

const TEXT = 'It closes.\n\nThe gate opens.\n\nIt closes.\n\n*Ebb* begins. '
/** With a byte order mark, and a byte that is not UTF-8. */
const BYTES = Buffer.concat([Buffer.from(`\ufeff${TEXT}`), Buffer.of(0xff)])
const PASSAGES = ['The gate opens.', 'It closes.', 'Ebb begins.'].map((text, at) => {
  return { id: at, line: 2 * at + 3, entityKey: 'gate', title: 'Tide', text }
})
const CUT = 'It closes.\n\n\nIt closes.\n\n*Ebb* begins. \ufffd'
const store = { passages: async () => PASSAGES, bytes: async () => BYTES }
const whole = { kept: 'whole', kind: 'note' } as unknown as StoredDocument
const earlier: StoredDocument = { ...whole, kept: 'passages' }
const without = (text: string) => {
  const keys = { entity: 'gate', textHash: hashOfText(text) }
  return new Removed([{ id: text, kind: 'passage', shown: [], removedAt: 0, keys }])
}

for (const [name, document, removed, text, lines, bytes] of [
  ['as it came', whole, new Removed([]), `${TEXT}\ufffd`, [3, 5, 7], BYTES],
  [
    'as it came, if what was removed is elsewhere',
    whole,
    without('Flood.'),
    `${TEXT}\ufffd`,
    [3, 5, 7],
    BYTES,
  ],
  [
    'with a cut, after which lines are others',
    whole,
    without('The gate opens.'),
    CUT,
    [1, null],
    `\ufeff${CUT}`,
  ],
  ['from its passages', earlier, without('The gate opens.'), 'It closes.\n\nEbb begins.\n', [1, 3], null],
] as const)
  t.test(`a document is read ${name}`, async t => {
    const read = await readText(store, 'safe', document, removed)
    t.equal(read.text, text)
    t.same(
      read.passages.map(({ line }) => line),
      lines,
    )
    const found = await readBytes(store, 'safe', document, removed)
    t.same(found, bytes === null ? null : Buffer.from(bytes))
  })
