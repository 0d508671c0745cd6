// In a process of its own: leftovers of other tests may connect at any time.
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
  const remote = 'http://127.0.0.1:9/a'
  const referring: [format: string, content: string][] = [
    ['mail', `From: a@b.c\nContent-Type: text/html\n\n<img src="${remote}"><p>y`],
    ['mail', `From: a@b.c\nContent-Type: message/external-body; access-type=URL; URL="${remote}"\n\ny`],
    [
      'evernote',
      `<!DOCTYPE en-export SYSTEM "${remote}"><en-export><note><title>y</title></note></en-export>`,
    ],
    [
      'opml',
      `<?xml-stylesheet href="${remote}"?><opml><body><outline text="y" type="include" url="${remote}"/></body></opml>`,
    ],
    ['calendar', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:y\nATTACH:${remote}\nEND:VEVENT\nEND:VCALENDAR\n`],
    ['contacts', `BEGIN:VCARD\nFN:y\nPHOTO;VALUE=uri:${remote}\nEND:VCARD\n`],
    ['jsonld', `{"@context":"${remote}","name":"y"}`],
    ['turtle', `@prefix owl: <http://www.w3.org/2002/07/owl#> . <y> owl:imports <${remote}> .`],
    ['rtf', `{\\rtf1 {\\field{\\*\\fldinst INCLUDETEXT "${remote}"}{\\fldrslt y}}\\par}`],
  ]
  for (const [format, content] of referring)
    t.not((await text(format, content, { path: 'a' })).length, 0, format)
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
