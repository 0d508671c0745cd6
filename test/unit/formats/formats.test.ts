import t from 'tap'
import { FORMATS, findFormat } from '../../../engine/formats/formats.js'
import { localName } from '../../../engine/formats/rdf/iri-names.js'
import { UnreadableFile } from '../../../engine/formats/shared/format.js'
import { badLines, chunks, linesOf, problems, read, records, text } from './read.js'

t.test('a format is found by its id or the end of a file name, in any case', async t => {
  t.equal(findFormat('ntriples')?.id, 'ntriples')
  t.equal(findFormat('/tmp/People.NT')?.id, 'ntriples')
  t.equal(findFormat('memory.jsonl')?.id, 'jsonl')
  t.equal(findFormat('a.ttl')?.id, 'turtle')
  t.equal(findFormat('a.tsv')?.id, 'csv')
  t.equal(findFormat('a.exe'), null)
  t.equal(findFormat(''), null)
})

t.test('JSONL: byte order mark, CRLF, blank lines, joined objects, dangling relations', async t => {
  const entity = '{"type":"entity","name":"A","entityType":"x","observations":["a {\\"brace\\"} }"]}'
  const relation = '{"type":"relation","from":"A","to":"Nobody","relationType":"knows"}'
  const parsed = await text('jsonl', `\ufeff${entity}${relation}\r\n\r\n${relation}`)
  t.strictSame(problems(parsed), [])
  t.strictSame(linesOf(parsed), [1, 1, 1, 3])
})

t.test('JSONL: every bad line is named and the rest is read', async t => {
  const parsed = await text(
    'jsonl',
    [
      '{"type":"entity","name":"A","entityType":"x","observations":["ok"]}',
      'nonsense',
      '[1]',
      '{"type":"thing"}',
      '{"type":"relation","from":"A","to":1,"relationType":"knows"}',
      '{"type":"entity","name":"  ","observations":[]}',
      '{"type":"entity","name":"B","observations":"no list"}',
      '{"type":"entity","name":"C","observations":["ok",2]}',
      '{"type":"relation","from":"A","to":"B","relationType":"k',
      '{"type":"relation","from":"A","to":"B","relationType":"knows"}{"type":',
      '{"type":"same","name":"A"}',
      '{"type":"same","name":"A","sameAs":" "}',
    ].join('\n'),
  )
  t.strictSame(problems(parsed), [
    [2, 'This is not JSON.'],
    [3, 'This is not a JSON object.'],
    [4, '"type" is neither "entity" nor "relation".'],
    [5, '"to" is missing or not a text.'],
    [6, 'The name is empty.'],
    [7, '"observations" is not a list.'],
    [8, 'An observation is not a text.'],
    [9, 'This is not JSON.'],
    [10, 'This is not JSON.'],
    [11, '"sameAs" is missing or not a text.'],
    [12, 'The other name is empty.'],
  ])
  t.equal(records(parsed).length, 3)
})

t.test('N-Triples: every bad line is named and the rest is read', async t => {
  const good = '<http://e/a> <http://e/p> <http://e/b> .'
  const parsed = await text(
    'ntriples',
    [good, 'nonsense', good, '<http://e/a> <http://e/p>', `${good} ${good}`, good, '<a> <b> <c> .'].join(
      '\n',
    ),
  )
  t.strictSame(badLines(parsed), [2, 4, 5, 7])
  t.equal(records(parsed).length, 3)
})

t.test('Turtle: the first syntax error is named and ends the reading', async t => {
  const parsed = await text('turtle', '@prefix e: <http://e/> .\ne:a e:b e:c .\nbad here .\ne:a e:b e:d .\n')
  t.equal(records(parsed).length, 1)
  t.strictSame(badLines(parsed), [3])
  const unfinished = await text('turtle', '@prefix e: <http://e/> .\ne:a e:b e:c')
  t.strictSame(badLines(unfinished), [3], 'an unfinished statement is an error too')
})

t.test('CSV: three columns by name or by count, tabs, semicolons, quotes', async t => {
  const expected = [{ kind: 'relation', subject: 'Ada, Countess', predicate: 'wrote', object: 'Note "G"' }]
  const row = '"Ada, Countess",wrote,"Note ""G"""'
  for (const content of [
    `\ufeffSubject,Predicate,Object\r\n${row}\r\n`,
    `source,relation,target\n${row}`,
    `\n${row}\n`,
    'id,to,relation,from,text\n1,"Note ""G""",wrote,"Ada, Countess",ignored',
    'subject\tpredicate\tobject\nAda, Countess\twrote\t"Note ""G"""',
    'subject;predicate;object\nAda, Countess;wrote;"Note ""G"""',
  ]) {
    t.strictSame(records(await text('csv', content)), expected, content)
  }
})

t.test('CSV: a wrong number of columns is a bad line with its number', async t => {
  const parsed = await text('csv', 'a,b,c\nd,e\n"multi\nline",p,o\nf,g,h,i\n\n,x,y\nlast,p,o\n')
  t.strictSame(problems(parsed), [
    [2, 'There are 2 columns instead of 3.'],
    [5, 'There are 4 columns instead of 3.'],
    [7, 'The subject is empty.'],
  ])
  t.strictSame(linesOf(parsed), [1, 2, 4, 5, 7, 8])
})

t.test('every format: an empty file has no records, or is refused with a sentence', async t => {
  for (const { id } of FORMATS) {
    const said = await text(id, '').catch((error: Error) => {
      t.ok(error instanceof UnreadableFile, id)
      return [{ line: 1, problem: error.message }]
    })
    // An empty note is a note.
    if (id === 'markdown' || id === 'org' || id === 'tiddlywiki' || id === 'canvas')
      t.match(said, [{ line: 1, record: { kind: 'entity', id: 'note', name: 'note' } }])
    else for (const { problem } of said as { problem?: string }[]) t.match(problem, /^This .*\.$/, id)
  }
})

t.test('every format: NUL, bytes that are not UTF-8 and endless lines are bad lines', async t => {
  const lines: Record<string, (name: string) => string> = {
    jsonl: name => JSON.stringify({ type: 'entity', name, observations: [] }),
    ntriples: name => `<http://e/a> <http://e/p> "${name}" .`,
    turtle: name => `<http://e/a> <http://e/p> "${name}" .`,
    nquads: name => `<http://e/a> <http://e/p> "${name}" <http://e/g> .`,
    trig: name => `<http://e/a> <http://e/p> "${name}" .`,
    csv: name => `a,p,${name}`,
  }
  for (const [id, line] of Object.entries(lines)) {
    const good = records(await text(id, line('x')))
    t.equal(good.length, 1, id)
    t.strictSame(
      problems(await text(id, `${line('x')}\n${line('n\0ul')}`)).map(([line]) => line),
      [2],
      `${id}: NUL`,
    )
    const latin1 = Buffer.concat([
      Buffer.from(`${line('x')}\n`),
      Buffer.from(line('caf\u00e9'), 'latin1'),
      Buffer.from('\n'),
    ])
    t.strictSame(problems(await text(id, latin1)), [[2, 'The line is not UTF-8 text.']], `${id}: latin1`)
    const endless = await read(id, chunks(`${line('x')}\n${line('y'.repeat(1_100_000))}\n`, 65_536))
    t.strictSame(problems(endless), [[2, 'The line is longer than 1 MiB.']], `${id}: endless`)
    t.strictSame(records(endless), good)
    const long = await text(id, line('z'.repeat(1_001)))
    if (id === 'jsonl' || id === 'csv') t.match(problems(long), [[1, /longer than 1,000 characters/]])
    else t.match(records(long), [{ kind: 'passage' }])
  }
  const long = { type: 'entity', name: 'A', observations: ['x'.repeat(100_001)] }
  t.match(problems(await text('jsonl', JSON.stringify(long))), [[1, /longer than 100,000/]])
})

t.test('JSONL: lone surrogates become replacement characters', async t => {
  const [record] = records(await text('jsonl', '{"type":"entity","name":"a\\ud800b","observations":[]}'))
  t.match(record, { name: 'a\ufffdb' })
})

t.test('no batch is large, whatever a file consists of, so that others get their turn', async t => {
  const relation = '{"type":"relation","from":"a","to":"b","relationType":"r"}'
  const files: [format: string, content: string][] = [
    ['jsonl', 'bad\n'.repeat(2000)],
    ['jsonl', relation.repeat(2000)],
    ['jsonl', '{}'.repeat(2000)],
    ['ntriples', 'x\n'.repeat(2000)],
    ['csv', `subject,predicate,object\n${'x\n'.repeat(2000)}`],
    ['turtle', `<http://x/a> <http://x/p> ${'<http://x/b>, '.repeat(1999)}<http://x/b> .`],
    ['turtle', '<http://x/a> <http://x/p> "\u{1f426}" . '.repeat(2000)],
  ]
  for (const [format, content] of files) {
    let [total, largest] = [0, 0]
    for await (const batch of findFormat(format)!.parse(chunks(content, 65_536))) {
      total += batch.length
      largest = Math.max(largest, batch.length)
    }
    t.equal(total, 2000, `${format}: ${content.slice(0, 20)}`)
    t.ok(largest <= 1000, `largest batch: ${largest}`)
  }
})

t.test('the local name of an IRI is what follows its last separator', async t => {
  for (const [iri, name] of [
    ['http://e/a_b#', 'a b'],
    ['http://e/a//', 'a'],
    ['http://e/x#y', 'y'],
    ['///', '///'],
  ] as const)
    t.equal(localName(iri), name)
})
