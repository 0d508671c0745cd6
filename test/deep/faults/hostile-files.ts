import { readFileSync } from 'node:fs'
import { compoundFile } from '../../compound-file.js'
import { docx } from '../../docx.js'
import { pdfPage } from '../../pdf.js'
import { pieces } from '../../pieces.js'
import { zip } from '../../zip.js'

/** Pieces of files that readers may not expect. */
const atoms: Record<string, readonly string[]> = {
  csv: pieces('subject,predicate,object¦,¦"¦""¦\n¦;¦\t¦\'=¦é¦name,age,day\n¦a,1,2024-01-01\n¦\n\n¦\\"'),
  jsonlines: pieces(
    '{"name":"a","n":1}\n¦{"a":{"b":{"c":{"d":{"e":1}}}}}\n¦{"a":[¦]}¦{¦}¦[¦"¦\\"¦\\ud800¦:¦,¦"__proto__":¦"name":"¦"id":1,¦null¦1e999¦\n¦word ',
  ),
  jsonl: pieces('{¦}¦[¦"type"¦:¦"entity"¦"relation"¦,¦\\u0000¦\\ud800¦\n¦1e999¦null¦"name"¦"'),
  ntriples: pieces('<http://e/¦////¦>¦_:¦"¦\\"¦\\U¦^^¦@en¦ .¦\n¦#¦<<¦>>¦%¦urn:safe:passage:'),
  turtle: pieces('@prefix¦@base¦<¦>¦"""¦\'\'\'¦[¦]¦(¦)¦;¦,¦.¦a:¦_:¦\n¦\\u¦1e¦true¦^^¦{'),
  trig: pieces('GRAPH¦{¦}¦<a>¦<b>¦<c>¦.¦"""¦[¦(¦\n¦@prefix¦_:x¦<<¦>>'),
  text: pieces('\n¦\n\n¦word ¦. ¦\ud83d\ude80¦\u2028¦\u0301¦\u0316¦A B C ¦\r'),
  markdown: pieces('# ¦---\n¦key:: ¦[[¦]]¦](¦[¦(¦::¦#tag¦`¦```\n¦~~~¦\n¦- ¦> ¦\u2028¦|¦x: [¦{¦&a¦*a¦!¦"¦\''),
  chats: pieces(
    '{"mapping":{',
    '{"id":"1","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["',
    '"]}}}}}¦"current_node":"a"¦"parent":"a"',
    '{"uuid":"1","chat_messages":[{"sender":"human","text":"¦"}]}¦"content":[{"type":"text"',
    '"attachments":[¦"__proto__":¦,¦{¦}¦[¦]¦"¦\\"¦\\¦\n¦```\\n¦\\ud800¦1e999¦null¦\ue200¦【',
  ),
  html: pieces(
    '<p>¦</p>¦<div>¦<h1>¦</h2>¦<table>¦<tr>¦<td>¦</table>¦<ul>¦<li>¦</ol>¦<ol start=9>¦<pre>',
    '</pre>¦<script>¦</script>¦<title>¦<svg>¦<br/>¦<!--¦-->¦<![CDATA[¦]]>¦<a b="¦"¦>¦<¦&¦&amp;',
    '&#x110000;¦<meta charset=utf-8>¦<meta name=date content=2024-02-30>¦word ¦\n',
  ),
  docx: pieces(
    '<w:p>¦</w:p>¦<w:r>¦</w:r>¦<w:t>¦</w:t>¦<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>',
    '<w:p><w:r><w:t>text</w:t></w:r></w:p>¦<w:tbl><w:tr><w:tc>¦</w:tc></w:tr></w:tbl>',
    '<w:br w:type="page"/>¦<a:blip r:embed="rId1"/>¦<w:hyperlink r:id="rId9">¦<x:unknown>¦&a;',
    '&#0;¦<!--¦-->¦<¦>¦"¦<![CDATA[¦]]>¦<m:oMath>¦</m:oMath>¦<m:f><m:num>¦</m:num>¦<m:r><m:t>¦<m:naryPr><m:chr m:val="&a;"/>¦<w:del>¦<w:ruby>',
  ),
  pdf: pieces(
    'BT ¦ET ¦/F 9 Tf ¦/X Do ¦(text) Tj ¦[(a) -900 (b)] TJ ¦1 0 0 1 9e9 -1 Tm ¦q ¦Q ¦/M BMC ¦EMC ',
    'BI /W 9 /H 9 ID ¦EI ¦<<¦>>¦[¦]¦(¦)¦<41¦1e99 ¦% ¦\n¦ 0 R ',
  ),
  xlsx: pieces(
    '<row r="1">¦<row>¦</row>¦<c r="A1" t="s">¦<c t="str">¦<c s="1">¦<c r="ZZZ9999999">¦<c t="b">¦</c>¦<v>¦</v>¦<f>¦<is><t>¦0¦1e999¦-1',
    'name¦=HYPERLINK("x")¦&a;¦&#0;¦<!--¦]]>¦<¦"¦<rPh>',
  ),
  ods: pieces(
    '<table:table table:name="a">¦</table:table>¦<table:table-row table:number-rows-repeated="999999999">¦<table:table-row>¦</table:table-row>',
    '<table:table-cell>¦</table:table-cell>¦<table:table-cell table:number-columns-repeated="999999999">¦<table:covered-table-cell/>¦<text:p>¦</text:p>',
    '<table:table-cell office:value-type="float" office:value="1e999">¦word¦<office:annotation>¦&a;¦<text:s/>¦<',
  ),
  pptx: pieces(
    '<p:sld>¦<p:sp>¦<p:ph type="title"/>¦<a:p>¦</a:p>¦<a:pPr lvl="99"/>¦<a:t>¦</a:t>¦<a:tr>¦<a:tc>¦</a:tr>¦word¦&a;¦<',
  ),
  odt: pieces(
    '<text:p>¦</text:p>¦<text:h text:outline-level="99">¦</text:h>¦<text:list>¦</text:list>¦<table:table>¦</table:table>¦<table:table-row>¦</table:table-row>',
    '<table:table-cell>¦<draw:page>¦<presentation:notes>¦<office:annotation>¦</office:annotation>¦word¦&a;¦<',
  ),
  rtf: pieces(
    "{¦}¦\\par ¦\\u-1 ?¦\\uc9 ¦\\bin99 ¦\\bin999999999 ¦\\'e4¦\\'00¦{\\*\\x ¦{\\fonttbl ¦\\f1\\fcharset204 ¦\\ansicpg932 ¦\\outlinelevel9 ¦\\cell ¦\\¦word ¦\n",
  ),
  rdfxml: pieces(
    '<rdf:Description>¦</rdf:Description>¦<rdf:Description rdf:about="&a;">¦<s:a>¦</s:a>¦<s:a rdf:parseType="Literal">¦<s:a rdf:parseType="Collection">',
    '<s:a rdf:resource="http://e/é"/>¦rdf:ID="a"¦word¦<!DOCTYPE a [<!ENTITY a "&a;">]>¦<!--¦]]>¦<¦"¦xml:base="::"',
  ),
  jsonld: pieces(
    '{¦}¦[¦]¦,¦:¦"@context":¦"@graph":[¦"@id":"_:a"¦"@type":["a"]¦"@list":[¦"@reverse":{¦"@value":1¦"@container":"@index"¦"@base":"::"¦"@vocab":"http://e/"',
    '{"@id":"http://e/a","b":{"@id":"_:b","c":"d"}}¦{"a":{"@id":"http://e/","@context":{}}}¦"https://schema.org"¦null¦1e999¦"__proto__":¦"a"¦\\¦"',
  ),
  mail: pieces(
    'From: a@b.c\n¦Subject: ¦Re: ¦=?utf-8?q?¦?=¦=?utf-8?b?¦Date: Mon, 1 Jan 9999\n¦In-Reply-To: <¦References: <1> <2>\n¦>¦<¦@¦"¦,¦:¦;',
    'Content-Type: multipart/mixed; boundary=b\n\n--b\n¦--b--\n¦Content-Type: text/html\n\n¦Content-Type: message/rfc822\n\n¦charset=utf-7',
    'Content-Transfer-Encoding: quoted-printable\n¦Content-Transfer-Encoding: base64\n¦=\n¦=3D¦\n\n¦\n¦> ¦-- \n¦On 1 May 2024, a@b.c wrote:\n¦word ¦<blockquote type=cite>',
  ),
  outlook: pieces('From: a@b.c\n¦<1>¦Re: ¦> ¦/o=a¦@¦"¦\0¦\ud800¦<p>¦<blockquote>¦word ¦\n'),
  mbox: pieces(
    'From a@b.c Mon Jan  1 00:00:00 2024\n¦\nFrom - \n¦>From ¦From: a@b.c\n¦Message-ID: <1>\n¦In-Reply-To: <1>\n¦Subject: a\n¦\n\n¦\n¦\r\n¦word ¦> ¦wrote:\n',
  ),
  evernote: pieces(
    '<note>¦</note>¦<title>¦</title>¦<created>20240101T000000Z</created>¦<content>¦</content>¦<![CDATA[¦]]>¦<en-note>¦<tag>¦</tag>',
    '<a href="evernote:///x">¦</a>¦<!ENTITY a "¦&a;¦<resource>¦</resource>¦<data>¦AAAA¦<¦>¦"¦word ¦\n',
  ),
  bookmarks: pieces(
    '<DT><H3>¦</H3>¦<DL><p>¦</DL>¦<DT><A HREF="¦" ADD_DATE="9e99">¦</A>¦<DD>¦TAGS="¦"¦&amp;¦word ¦\n',
  ),
  org: pieces(
    '* ¦** TODO [#A] ¦ :a:b:\n¦#+begin_src \n¦#+end_src\n¦#+begin_quote\n¦#+end_quote\n¦:PROPERTIES:\n¦:ID: 1\n¦:END:\n¦#+TITLE: ¦| a |\n¦|--\n¦- a :: ¦  1. ¦: ',
    '[[id:1][¦[[a]]¦]]¦[fn:: ¦[fn:1] ¦]¦*a* ¦/¦=a ¦~¦_a ¦<2024-01-01 ¦>--<¦$a ¦\\(¦\\begin{a}\n¦\\end{a}\n¦@@a:¦{{{a(¦\\alpha ¦ ¦\n',
  ),
  signal: pieces(
    '[2024-01-01 10:00:00] Ada: ¦[9999-99-99 99:99:99] ¦: ¦(- ¦ -)\n¦(( ¦ ))\n¦![¦](./media/¦)¦[¦](../exported_stickers/¦> ¦word ¦\n',
  ),
  kindle: pieces(
    '==========\n¦\ufeff¦Book (Ada;Bo)\n¦- Note on page 7 | Added on Monday, 3 March 2025 22:15:32\n¦ | ¦(¦)¦;¦word ¦\n',
  ),
  opml: pieces(
    '<opml>¦<head><title>¦</title>¦<body>¦<outline text="¦" xmlUrl="¦" _note="¦"/>¦">¦</outline>¦&a;¦&#10;¦<!--¦-->¦word ¦\n',
  ),
  calendar: pieces(
    'BEGIN:VCALENDAR\n¦BEGIN:VEVENT\n¦END:VEVENT\n¦BEGIN:VTIMEZONE\n¦END:VTIMEZONE\n¦SUMMARY:¦DTSTART;TZID=X:20240101T000000\n¦DTSTART:99999999\n',
    'DURATION:P999999999W\n¦RRULE:FREQ=SECONDLY;COUNT=999999999\n¦RDATE:¦ATTENDEE;CN="¦":mailto:¦\n ¦;¦:¦,¦"¦\\n¦word ¦\n',
  ),
  contacts: pieces(
    'BEGIN:VCARD\n¦END:VCARD\n¦VERSION:2.1\n¦VERSION:4.0\n¦FN:¦N:a;b;c\n¦EMAIL:a@b.c\n¦TEL;CELL;¦item1.¦PHOTO;ENCODING=b:¦ENCODING=QUOTED-PRINTABLE:¦=\n¦=C3¦;¦:¦"¦\\,¦\n ¦\n',
  ),
  sessions: pieces(
    '{"type":"user","sessionId":"1","uuid":"1","message":{"content":"¦"}}\n¦{"timestamp":"2024","type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"¦"}]}}\n',
    '{"sessionId":"1","projectHash":"a","messages":[¦]}¦<system-reminder>¦</system-reminder>¦<command-name>¦password=¦-----BEGIN PRIVATE KEY-----¦-----END ¦sk-¦eyJ¦Bearer ¦://a:¦@¦"¦\\"¦{¦[¦\n¦word ',
  ),
  keep: pieces(
    '{"isTrashed":false,¦"textContent":"¦"}¦"listContent":[{"text":"¦"}]¦"labels":[¦]¦,¦"¦{¦\\n¦word ',
  ),
  roam: pieces(
    '{"title":"¦","children":[¦{"string":"¦","uid":"aaaaaaaaa"},¦]}¦,¦((aaaaaaaaa))¦[[¦]]¦{{[[TODO]]}}¦::¦#a¦"¦\\n¦^^',
  ),
  slack: pieces(
    '{"ts":"1","user":"U1","text":"¦"},¦{"id":"U1","profile":{},"real_name":"¦<@U1>¦<http://a|¦>¦<!¦|¦<¦&lt;¦"¦,¦{¦}',
  ),
  telegram: pieces(
    '{"id":1,"type":"message","from":"a","text":"¦"},¦"text":[{"type":"text_link","text":"¦","href":"¦"reply_to_message_id":1¦"date_unixtime":"9e99"',
    '"poll":{"question":"¦"answers":[¦"reactions":[¦"messages":[¦{"name":"a","messages":[¦"forwarded_from":¦"file":"(¦"__proto__":¦,¦{¦}¦[¦]¦"¦\\"¦\\¦\n¦```¦> ¦\\ud800¦null¦word ',
  ),
  wordpress: pieces(
    '<item>¦</item>¦<title>¦</title>¦<content:encoded>¦</content:encoded>¦<![CDATA[¦]]>¦<wp:post_type>post</wp:post_type>¦<wp:post_type>page',
    '<category>¦</category>¦<wp:comment>¦<wp:author><wp:author_login>¦<wp:post_date>9999-99-99 99:99:99</wp:post_date>¦[gallery ¦]¦<p>¦<table>¦&a;¦&#x110000;¦<¦"¦word ¦\n\n',
  ),
  whatsapp: pieces(
    '[1/2/24, 1:02:03\u202fAM] ¦31/12/2023, 23:59 - ¦99.99.99, 99:99 - ¦Ada: ¦: ¦\u200e¦<Media omitted>¦\n¦word ¦[',
  ),
  epub: pieces('<p>¦<h1>¦</h1>¦<title/>¦<script/>¦<br/>¦</p>¦<table>¦<td>¦&¦<¦word ¦\n'),
}

const report = readFileSync(new URL('../../fixtures/documents/report.pdf', import.meta.url))

/** How the pieces of a document outside its text are written as bytes. */
const built: Record<string, (text: string, random: (below: number) => number) => string | Buffer> = {
  chats: text => `[${conversation(text)},${text}`,
  xlsx: text =>
    zip([
      { name: 'xl/workbook.xml', content: '<workbook><sheet name="a" r:id="a"/></workbook>' },
      { name: 'xl/_rels/workbook.xml.rels', content: '<Relationship Id="a" Target="worksheets/a.xml"/>' },
      { name: 'xl/worksheets/a.xml', content: text },
    ]),
  ods: text => zip([{ name: 'content.xml', content: text }]),
  odt: text => zip([{ name: 'content.xml', content: text }]),
  pptx: text =>
    zip([
      { name: 'ppt/presentation.xml', content: '<p:sldId r:id="a"/>' },
      { name: 'ppt/_rels/presentation.xml.rels', content: '<Relationship Id="a" Target="slides/a.xml"/>' },
      { name: 'ppt/slides/a.xml', content: text },
    ]),
  rtf: text => `{\\rtf1 ${text}`,
  rdfxml: text =>
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="https://schema.org/">${text}</rdf:RDF>`,
  jsonld: text => `{"@context":{"@vocab":"http://e/"},"@graph":[${text}]}`,
  // So that they can be distinguished from other JSON and HTML.
  bookmarks: text => `<!DOCTYPE NETSCAPE-Bookmark-file-1>${text}`,
  sessions: text => `{"type":"user","sessionId":"1"}\n${text}`,
  keep: text => `{"isTrashed":false,"title":${JSON.stringify(text)}${text}`,
  roam: text => `[{"title":"a","children":[]},${text}`,
  telegram: text => `{"type":"personal_chat","id":1,"messages":[{"id":1,"type":"message","text":"a"},${text}`,
  wordpress: text => `<rss><channel><item><title>a</title><wp:post_type>post</wp:post_type></item>${text}`,
  slack: text => `[{"ts":"1","team_id":"T","text":"a"},${text}`,
  docx: (text, random) => docx(random(2) === 0 ? text : paragraph(text)),
  epub: text =>
    zip([
      { name: 'META-INF/container.xml', content: '<container><rootfile full-path="b.opf"/></container>' },
      {
        name: 'b.opf',
        content: '<package><item id="a" href="a.html" media-type="text/html"/><itemref idref="a"/></package>',
      },
      { name: 'a.html', content: text },
    ]),
  outlook: (text, random) => damaged(outlookMessage(text.slice(0, 10_000)), random),
  pdf: (text, random) => (random(2) === 0 ? pdfPage(['', Buffer.from(text)]) : damaged(report, random)),
}

function outlookMessage(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  const part = { '__properties_version1.0': Buffer.alloc(100, 7), '__substg1.0_3701000D': {} }
  return compoundFile({
    '__properties_version1.0': Buffer.alloc(100, 7),
    '__substg1.0_0037001F': bytes.subarray(0, 500),
    '__substg1.0_1000001F': bytes,
    '__substg1.0_10130102': bytes.subarray(0, 2_000),
    '__attach_version1.0_#00000000': part,
    '__recip_version1.0_#00000000': { '__substg1.0_3001001F': bytes.subarray(0, 100) },
  })
}

const conversation = (text: string) => {
  const message = { author: { role: 'user' }, content: { content_type: 'text', parts: [text] } }
  return JSON.stringify({ id: '1', title: text.slice(0, 20), mapping: { a: { message } }, current_node: 'a' })
}

const paragraph = (text: string) =>
  `<w:p><w:r><w:t>${text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)}</w:t></w:r></w:p>`

/** The file with some bytes changed. */
function damaged(whole: Buffer, random: (below: number) => number): Buffer {
  const bytes = Buffer.from(whole)
  for (let changes = 1 + random(20); changes > 0; changes--) bytes[random(bytes.length)] = random(256)
  return bytes
}

/** Any file may contain many of these in a row. */
const runs = pieces(" ¦\t¦\u0301¦\u0316¦\u0301\u0316¦\uff9e¦/¦#¦*¦_¦=¦-¦'¦a¦\u2028¦\u{1f600}¦[[¦((¦{{¦&¦::")

export interface HostileFile {
  format: string
  text: string | Buffer
}

/** The format of the file with this number. */
export function formatOf(number: number): string {
  const formats = Object.keys(atoms)
  return formats[number % formats.length] ?? ''
}

/** The same file for the same number. Most have a few kilobytes, some up to a hundred. */
export function hostileFile(number: number): HostileFile {
  const random = randomFrom(number)
  const format = formatOf(number)
  const own = atoms[format] ?? []
  const most = number % 50 === 0 ? 100_000 : 3_000
  let text = ''
  for (let pieces = 5 + random(200); pieces > 0 && text.length < most; pieces--) {
    const from = random(4) === 0 ? runs : own
    const piece = from[random(from.length)] ?? ''
    text += random(6) === 0 ? piece.repeat(1 + random(most / 4 / piece.length)) : piece
  }
  text = text.slice(0, most)
  return { format, text: built[format]?.(text, random) ?? text }
}

/** A generator of numbers below a limit (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed + 1) * 0x6d2b79f5
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

/** Whole files that each kept the process busy for seconds or minutes. */
export const attacks: readonly { format: string; text: string }[] = [
  { format: 'csv', text: `:a${'{}(){}'.repeat(2_000)}!,b,c\n1,2,3\n` },
  { format: 'csv', text: `${'a,'.repeat(400_000)}\n${'1,'.repeat(400_000)}\n` },
  { format: 'csv', text: `${'a,'.repeat(500)}\n${`${'1,'.repeat(500)}\n`.repeat(4_000)}` },
  { format: 'markdown', text: `# ${' '.repeat(3_900)}x\u2028y\n` },
  { format: 'markdown', text: `key:: ${' '.repeat(3_900)}x\u2028y\n`.repeat(100) },
  { format: 'markdown', text: `---\n${`key: ${'"'.repeat(290)}\n`.repeat(300)}---\n` },
  { format: 'ntriples', text: `<http://e/a> <http://e/${'/'.repeat(90_000)}x> <http://e/b> .\n` },
  { format: 'text', text: `a${'\u0301'.repeat(50_000)}${'\u0316'.repeat(50_000)}` },
  { format: 'turtle', text: `<a> <b> ${'('.repeat(200_000)}${')'.repeat(200_000)} .` },
  { format: 'jsonl', text: '['.repeat(500_000) },
  { format: 'jsonld', text: `{"@context":{},"a":${'['.repeat(500_000)}` },
  { format: 'jsonld', text: `[${'{"@context":{"a":"http://e/"},"a":1},'.repeat(5_000)}{}]` },
  { format: 'html', text: `${'<b>'.repeat(500)}${'</i>'.repeat(100_000)}` },
  { format: 'html', text: `<p ${'a="'.repeat(100_000)}` },
  { format: 'chats', text: `[{"mapping":${'{"a":'.repeat(100_000)}` },
  {
    format: 'mail',
    text: `From: a@b.c\nSubject: a\n${'Content-Type: multipart/mixed; boundary=b\n\n--b\n'.repeat(20_000)}`,
  },
  {
    format: 'mail',
    text: `From: ${'a@b.c, '.repeat(30_000)}\nSubject: ${'=?utf-8?q?=41?= '.repeat(10_000)}\n\na\n`,
  },
  {
    format: 'mail',
    text: `From: a@b.c\nContent-Transfer-Encoding: quoted-printable\n\n${'=\n'.repeat(400_000)}`,
  },
  {
    format: 'mail',
    text: `From: a@b.c\nContent-Type: text/html\n\n${'<blockquote type=cite><div>'.repeat(30_000)}`,
  },
  { format: 'mbox', text: `${'From a@b.c Mon Jan  1 00:00:00 2024\nFrom: a@b.c\n\n> a\n\n'.repeat(15_000)}` },
  {
    format: 'evernote',
    text: `<!DOCTYPE a [${'<!ENTITY a "&a;&a;">'.repeat(20_000)}]><en-export>${'<note>'.repeat(100_000)}`,
  },
  {
    format: 'rdfxml',
    text: `<!DOCTYPE a [<!ENTITY a0 "ha">${Array.from({ length: 5_000 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]><a>&a5000;</a>`,
  },
  { format: 'org', text: '#+begin_quote\n'.repeat(50_000) },
  { format: 'org', text: '* a\n:PROPERTIES:\n:a: [[b\n'.repeat(20_000) },
  { format: 'org', text: `${'*a /b _c +d '.repeat(40_000)}` },
  { format: 'opml', text: `<opml><body>${'<outline text="a">'.repeat(100_000)}` },
  { format: 'bookmarks', text: `<!DOCTYPE NETSCAPE-Bookmark-file-1>${'<DL><DT><H3>a</H3>'.repeat(50_000)}` },
  { format: 'roam', text: `[{"title":"a","children":[${'{"string":"a","children":['.repeat(100_000)}` },
  { format: 'rtf', text: `{\\rtf1 ${'{\\b '.repeat(200_000)}a` },
  { format: 'whatsapp', text: '[1/2/24, 1:02:03 AM] Ada: a\n'.repeat(30_000) },
  { format: 'calendar', text: `${'BEGIN:VCALENDAR\nBEGIN:VEVENT\n'.repeat(30_000)}` },
  { format: 'contacts', text: `BEGIN:VCARD\nFN:a\n${'EMAIL:a@b.c\n'.repeat(15_000)}END:VCARD\n` },
  {
    format: 'sessions',
    text: `{"sessionId":"1","uuid":"1","type":"user","message":{"content":"${'<system-reminder>'.repeat(40_000)}"}}`,
  },
  {
    format: 'sessions',
    text: `{"sessionId":"1","uuid":"1","type":"user","message":{"content":"${'token='.repeat(100_000)}"}}`,
  },
  { format: 'csv', text: `a,b,c\n${'1,"x,2\n'.repeat(100_000)}` },
  { format: 'csv', text: `a,b,c\n1,"${'\n1,2,3'.repeat(300_000)}` },
  { format: 'csv', text: `sep=\\\na\\b\nx\\"y z\n${'\\"x\n'.repeat(100_000)}` },
  { format: 'csv', text: `a,b,c\n${'1,"""x,'.repeat(140_000)}\n` },
  { format: 'csv', text: 'name,age\na,1\nb,2\nc,3\nd,4\ne,5\n\n'.repeat(20_000) },
  { format: 'csv', text: `a,b\n1,2\n3,4\n${'\n'.repeat(300_000)}` },
  { format: 'jsonlines', text: `{"a":${'['.repeat(500_000)}\n`.repeat(2) },
  { format: 'jsonlines', text: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n` },
  {
    format: 'jsonlines',
    text: `{${Array.from({ length: 50_000 }, (_, i) => `"a${i}":1`).join(',')}}\n{"a":"${'x'.repeat(2_000_000)}"}\n`,
  },
  {
    format: 'jsonlines',
    text: Array.from({ length: 20_000 }, (_, i) => `{"a${i}":{"b${i}":${i}}}\n`).join(''),
  },
  { format: 'telegram', text: `{"type":"personal_chat",${'"messages":[{'.repeat(100_000)}` },
  { format: 'telegram', text: `${'{"a":['.repeat(200_000)}{"messages":[{}]}` },
  {
    format: 'telegram',
    text: `{"messages":[${Array.from({ length: 20_000 }, (_, i) => `{"id":${i},"type":"message","text":"a","reply_to_message_id":${(i * 7) % 20_000}}`).join(',')}]}`,
  },
  {
    format: 'telegram',
    text: `{"messages":[{"type":"message","text":[${'{"type":"text_link","text":"a","href":"https://a.b"},'.repeat(60_000)}""]}]}`,
  },
  { format: 'telegram', text: `{"messages":[]${',"messages":[]'.repeat(200_000)}}` },
  { format: 'wordpress', text: `<rss>${'<item><category>'.repeat(100_000)}` },
  {
    format: 'wordpress',
    text: `<rss><item><wp:post_type>post</wp:post_type><content:encoded><![CDATA[${'[a '.repeat(400_000)}${'<p>a\n\n'.repeat(50_000)}]]></content:encoded></item>`,
  },
  {
    format: 'wordpress',
    text: `<!DOCTYPE a [${'<!ENTITY a "&a;&a;">'.repeat(20_000)}]><rss><item><title>&a;</title><wp:post_type>post</wp:post_type></item></rss>`,
  },
  { format: 'html', text: `<math>${'<mfrac>'.repeat(400)}${'<mi>a</mi>'.repeat(50_000)}` },
  { format: 'jsonl', text: `{"type":"entity","name":"${'\ufdfa'.repeat(300_000)}","observations":[]}` },
]
