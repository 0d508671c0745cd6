import { readFileSync } from 'node:fs'
import t from 'tap'
import { identify, identifyName } from '../../../engine/formats/identify.js'
import { docx } from '../../docx.js'
import { zip } from '../../zip.js'

const found = (path: string, start: string | Buffer): string => {
  const kind = identify(path, typeof start === 'string' ? Buffer.from(start, 'latin1') : start)
  if (kind === null) return 'unknown'
  if ('unreadable' in kind) return kind.unreadable
  return 'archive' in kind ? 'archive' : kind.format.id
}
const fixture = (name: string) => readFileSync(new URL(`../../fixtures/documents/${name}`, import.meta.url))
const part = (name: string, content = '') => ({ name, content })
const types = (type: string) =>
  part('[Content_Types].xml', `<Override ContentType="application/${type}+xml"/>`)
const ole = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const notes = zip([part('a.md', 'A note.')])

const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'

t.test('a file is what its bytes are, whatever its name says (“Any file a person has”)', t => {
  const cases: [string, string | Buffer, string][] = [
    ['report.docx', docx(''), 'docx'],
    ['report.zip', docx(''), 'docx'],
    ['report', docx(''), 'docx'],
    ['a.zip', zip([types('vnd.ms-word.document.macroEnabled.main')]), 'docx'],
    ['book.zip', fixture('book.epub'), 'epub'],
    ['scan.txt', fixture('scan.pdf'), 'pdf'],
    ['mail.bin', `\r\n${'x'.repeat(900)}%PDF-1.7`, 'pdf'],
    ['table.xls', ' <!DOCTYPE html><table>', 'html'],
    ['page', '<?xml version="1.0"?>\n<html xmlns="…">', 'html'],
    ['notes.xml', '<?xml version="1.0"?>\n<!DOCTYPE en-export SYSTEM "…">\n<en-export>', 'evernote'],
    ['feeds.xml', '<?xml version="1.0"?>\n<opml version="2.0">', 'opml'],
    ['a.msg', 'From: a@b.c\n\nHello', 'mail'],
    ['a.msg', ole, 'outlook'],
    ['a.msg', 'Hello', 'outlook'],
    ['a.txt', 'From: a@b.c\r\nTo: d@e.f,\r\n g@h.i\r\nSubject: Hello\r\n\r\nHello', 'mail'],
    ['a.txt', 'From: Oslo\nTo: Bergen\nDate: in May\n', 'text'],
    ['feeds.xml', '<?xml version="1.0"?>\n<!-- a: ->\n b -->\n<opml version="2.0">', 'opml'],
    ['graph.txt', '@prefix a: <b> .', 'turtle'],
    ['graph.trig', '\xef\xbb\xbf@prefix a: <b> .', 'trig'],
    ['memory.txt', '{"type":"entity","name":"a"}', 'jsonl'],
    ['graph.txt', '{"@context":{}}', 'jsonld'],
    ['page.json', '[ { "name": "a", "@context": {', 'jsonld'],
    ['ontology.xml', `<?xml version="1.0"?>\n<a:Thing ${rdf} rdf:about="x"/>`, 'rdfxml'],
    ['ontology.xml', `<!DOCTYPE rdf:RDF [<!ENTITY a "b">]>\n<rdf:RDF ${rdf}>`, 'rdfxml'],
    ['people.json', '[\n  {"name": "Ada"}]', 'jsontable'],
    ['people.jsonl', '{"name": "Ada", "type": "person"}', 'jsonlines'],
    ['memory.jsonl', '{"name": "Ada", "type": "entity"}', 'jsonl'],
    ['graph.jsonld', '[{"@id": "a", "b": 1}]', 'jsonld'],
    ['notes.docx', notes, 'archive'],
    ['notes', notes, 'archive'],
    ['all.zip', zip([part('a/report.docx', docx('').toString('latin1'))]), 'archive'],
    ['empty.md', zip([]), 'archive'],
  ]
  for (const [path, start, kind] of cases) t.equal(found(path, start), kind, path)
  t.end()
})

t.test('where the bytes leave it open, the name decides, and text without an ending is text', t => {
  const cases: [string, string, string][] = [
    ['a.csv', 'a,b,c', 'csv'],
    ['a/b.MD', '---\ntitle: A\n---', 'markdown'],
    ['cur/1258471718.M1P2.example:2,RS', 'Received: x', 'mail'],
    ['a.txt', 'a,b,c', 'text'],
    ['a.md', '<html><body>', 'markdown'],
    ['a.json', '[ { "title": "a", "create_time": 1', 'chats'],
    ['a.json', '{"name":"Ada","type":"entity"', 'jsonl'],
    ['conversations.json', '[]', 'chats'],
    ['a.docx', 'no document', 'docx'],
    ['a.xlsx', zip([part('xl/worksheets/sheet1.xml')]).toString('latin1'), 'xlsx'],
    ['README', 'Read me.', 'text'],
    ['a.zip', '', 'archive'],
    ['a.xyz', 'text', 'unknown'],
    ['data', 'a\0b', 'unknown'],
    ['data', '', 'unknown'],
  ]
  for (const [path, start, kind] of cases) t.equal(found(path, start), kind, `${path}: ${start}`)
  t.end()
})

t.test('a file that cannot be read is named with what can be read instead', t => {
  const cases: [string, string | Buffer, RegExp][] = [
    ['a.txt', '\x89PNG\r\n', /^A picture can’t be read\. Recognise its text/],
    ['table.xls', ole, /Excel before 2007 .*CSV/],
    ['secret.docx', ole, /password.*\.docx/],
    ['a.zip', zip([part('Index/Document.iwa')]), /iWork/],
    ['a.csv', 'SQLite format 3\0', /SQLite .*CSV/],
    ['a.dat', '7z\xbc\xaf\x27\x1c', /\.zip/],
    ['a.md', `${'x'.repeat(60)}BOOKMOBI`, /EPUB/],
    ['film.mp4', 'text', /^A recording/],
    ['a.key', '', /^A presentation of Keynote .*PDF/],
    ['numbers.json', '[1, 2]', /^This JSON is of no kind that is read\./],
    ['feed.xml', '<?xml version="1.0"?>\n<rss version="2.0">', /^This XML is of no kind .*\.csv/],
    ['thesis.tex', '', /LaTeX .*PDF/],
    ['guide.adoc', '', /AsciiDoc .*\.html/],
    ['walk.gpx', '', /map .*CSV/],
    ['package.json', '{"name": "a"}', /^This JSON/],
  ]
  for (const [path, start, sentence] of cases) t.match(found(path, start), sentence, path)
  t.match(identifyName('a/b.PNG'), { unreadable: /^A picture/ })
  t.equal(identifyName('a.xyz'), null)
  t.end()
})

t.test('a damaged or endless zip is looked at within its first bytes only', t => {
  const long = zip(Array.from({ length: 3_000 }, (_, i) => part(`${i}.txt`, 'x')))
  t.equal(found('a.zip', long), 'archive')
  t.equal(found('a.zip', long.subarray(0, 31)), 'archive')
  t.equal(found('a.zip', zip([types(`x${'a'.repeat(1_000_000)}`)])), 'archive', 'a bomb as its content types')
  t.end()
})
