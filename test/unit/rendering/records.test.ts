import t from 'tap'
import { parseDocument } from '../../../engine/rendering/document.js'

const shown = (text: string) =>
  parseDocument('data', text)
    .render({ resolve: () => null, passages: [{ id: '7', line: 3, isRead: true }] })
    .html.replaceAll(/<\/?(?:thead|tbody|div)[^>]*>/g, '')

t.test('records of JSON Lines are rows, below the names that they share', async t => {
  const html = shown('{"name":"A <b>","said":["one","two"]}\n\n{"name":null,"said":{"x":1}}\n{"from":2}\n')
  t.match(html, '<th scope="col">name</th><th scope="col">said</th>')
  t.match(html, '<tr><td>A &lt;b&gt;</td><td>one\ntwo</td></tr>')
  t.match(html, '<tr id="p-7" class="read"><td></td><td>{&quot;x&quot;:1}</td></tr>')
  t.match(html, /<\/table>\n<table><tr><th scope="col">from<\/th><\/tr>\s*<tr><td>2<\/td>/)
})

t.test('data that is no sequence of records is shown as it stands', async t => {
  const nested = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  for (const text of ['', '[1]\n', '{"a":1}\n{"b', '@prefix a: <b> .\na:b a:c "d" .\n', nested])
    t.notMatch(shown(text), '<table')
})
