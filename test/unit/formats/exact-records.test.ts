import { createReadStream, readdirSync } from 'node:fs'
import { basename, extname } from 'node:path'
import t from 'tap'
import { findFormat } from '../../../engine/formats/formats.js'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { UnreadableFile } from '../../../engine/formats/shared/format.js'
import type { Parsed } from '../../../engine/graph/model.js'
import { exactly } from '../../exactly.js'
import { words } from '../../words.js'
import { read } from './read.js'

const folder = new URL('../../fixtures/', import.meta.url)
const filesIn = (path: string) =>
  (readdirSync(new URL(path, folder), { recursive: true }) as string[]).map(name => `${path}/${name}`)
const paths = [
  ...words('memory.jsonl people.nt spiderman.nq graphs.trig elements.ttl movies.csv roles.csv'),
  ...words('documents/page.html documents/report.docx documents/report.pdf documents/book.epub'),
  ...['vault', 'chats', 'exact/files'].flatMap(filesIn),
].filter(path => extname(path) && findFormat(path))
// The vault was written for this test with the features of Obsidian's help (Properties, Internal links, Tags), Logseq's
// properties and Dataview's inline fields.
const notes = paths.filter(path => path.endsWith('.md')).sort()

/** One line for each record and problem. */
const line = (parsed: Parsed) =>
  `  ${parsed.line} ${JSON.stringify('record' in parsed ? parsed.record : parsed.problem)}`

for (const kind of [...new Set(paths.map(path => extname(path).slice(1)))].sort())
  t.test(`files of ${kind} have exactly these records`, async t => {
    const found: string[] = []
    for (const path of paths.filter(path => extname(path) === `.${kind}`).sort()) {
      // A file may be named after its format.
      const format = findFormat(basename(path, `.${kind}`)) ?? findFormat(path)
      const file = { path, ...(kind === 'md' ? { notes: new NoteNames(notes) } : {}) }
      const parsed = await read(format?.id ?? '', createReadStream(new URL(encodeURI(path), folder)), file)
        .then(all => all.map(line))
        .catch(error => [`  ${error instanceof UnreadableFile ? error.message : `UNEXPECTED ${error}`}`])
      found.push(path, ...parsed)
    }
    exactly(t, `records-of-${kind}.txt`, found.join('\n'))
  })
