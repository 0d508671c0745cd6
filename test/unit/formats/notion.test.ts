import t from 'tap'
import { withIsoDate } from '../../../engine/formats/archives/written-date.js'
import { NotionProperties } from '../../../engine/formats/notes/notion-properties.js'

const id = '0'.repeat(32)

/** The result of Notion's properties below a title. */
function propertyOf(line: string) {
  const properties = new NotionProperties()
  properties.read('# Title')
  properties.read('')
  const property = properties.read(line)
  return property && `${property.key} = ${property.values.join(' | ')}`
}

t.test('Notion: what is a property below the title, and its values', async t => {
  for (const [line, property] of [
    ['Status: Done', 'Status = Done'],
    [`🏷️ Tags: Soup (../Tags/Soup%20${id}.md)`, `🏷️ Tags = [[../Tags/Soup ${id}.md]]`],
    ['Price (USD): $1,234.56', 'Price (USD) = $1,234.56'],
    ['#: 122', '# = 122'],
    [`Topic: Heap (https://www.notion.so/Heap-${id}?pvs=21)`, 'Topic = Heap'],
    [
      `Topic: https://www.notion.so/Two-Sums-${id}, https://www.notion.so/Heap-${id}`,
      'Topic = Two Sums | Heap',
    ],
    [`Site: https://www.notion.so/pricing`, 'Site = https://www.notion.so/pricing'],
    [`Ref: A, b (c) (../A%20(x)%20${id}.md)`, `Ref = [[../A (x) ${id}.md]]`],
    ['Due: January 12, 2024 → January 15, 2024', 'Due = 2024-01-12 → 2024-01-15'],
    ['작성일시: 2023년 1월 24일 오전 11:04', 'created = 2023-01-24T11:04'],
    ['## Part: one', null],
    ['- Milk: two', null],
    ['1. Milk: two', null],
    ['**Note**: it leaks', null],
    ['[a: b](c)', null],
  ] as const) {
    t.equal(propertyOf(line), property, line)
  }
})

t.test('dates as people write them, in the languages of exports', async t => {
  for (const [text, iso] of [
    ['Apr 02, 2021 8:07 AM', '2021-04-02T08:07'],
    ['October 12, 2023 12:56 PM', '2023-10-12T12:56'],
    ['March 1, 2024 12:05 AM (GMT+1)', '2024-03-01T00:05 (GMT+1)'],
    ['27. Juli 2023 11:52', '2023-07-27T11:52'],
    ['3 de marzo de 2024 9:05', '2024-03-03T09:05'],
    ['1 févr. 2024', '2024-02-01'],
    ['2023년 7월 16일 오후 7:37', '2023-07-16T19:37'],
    ['2023年7月16日 22:10', '2023-07-16T22:10'],
    ['2024/05/03', '2024-05-03'],
    ['June 31, 2024', 'June 31, 2024'],
    ['Chapter 12, 2024', 'Chapter 12, 2024'],
    ['on May 3, 2024', 'on May 3, 2024'],
  ] as const) {
    t.equal(withIsoDate(text), iso)
  }
})
