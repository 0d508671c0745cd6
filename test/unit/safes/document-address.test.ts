import t from 'tap'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'

t.test('a document, and each of its passages, has an address below that of its Safe', async t => {
  t.equal(documentAddress('/safes/1', 'Log/a#1.md'), '/safes/1/documents/Log/a%231.md')
  t.equal(documentAddress('/safes/1', 'a.md', 0), '/safes/1/documents/a.md#p-0')
})
