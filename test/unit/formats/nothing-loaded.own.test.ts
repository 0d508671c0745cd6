// In a process of its own: what other tests have left open may connect at any time.
import { createReadStream } from 'node:fs'
import { Socket } from 'node:net'
import t from 'tap'
import { docx } from '../../docx.js'
import { passages, read, text } from './read.js'

t.test('nothing that a document refers to is loaded', async t => {
  const connect = t.capture(Socket.prototype, 'connect')
  const requested = t.capture(globalThis, 'fetch')
  const linked =
    '<link rel=stylesheet href="http://127.0.0.1:9/a.css"><img src="http://127.0.0.1:9/a.png"><iframe src="http://127.0.0.1:9/">x</iframe>y'
  t.match(passages(await text('html', linked, { path: 'a.html' })), [{ text: 'y' }])
  const external = docx(
    '<w:p><w:r><w:t>Before</w:t></w:r><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill>' +
      '<a:blip r:link="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>',
  )
  t.match(passages(await text('docx', external, { path: 'a.docx' })), [{ text: 'Before' }])
  for (const name of ['report.pdf', 'report.docx']) {
    const path = new URL(`../../fixtures/documents/${name}`, import.meta.url)
    await read(name.slice(-4).replace('.', ''), createReadStream(path), { path: name })
  }
  t.strictSame([connect(), requested()], [[], []])
})
