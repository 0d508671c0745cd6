import './windows-1252.js'
import { bookmarks } from './bookmarks.js'
import { calendar, contacts } from './calendar.js'
import { chats } from './chats.js'
import { csv } from './csv.js'
import { docx } from './docx.js'
import { epub } from './epub.js'
import { evernote } from './evernote.js'
import { extensionOf } from './file-name.js'
import type { Format } from './format.js'
import { html } from './html.js'
import { jsonld } from './json-ld.js'
import { jsonlines, jsontable } from './json-table.js'
import { jsonl } from './jsonl.js'
import { keep } from './keep.js'
import { kindle } from './kindle.js'
import { mail, mbox, outlook } from './mail.js'
import { markdown } from './markdown.js'
import { nquads, ntriples } from './ntriples.js'
import { ods } from './ods.js'
import { odp, odt } from './odt.js'
import { opml } from './opml.js'
import { org } from './org.js'
import { pdf } from './pdf.js'
import { pptx } from './pptx.js'
import { rdfxml } from './rdf-xml.js'
import { roam } from './roam.js'
import { rtf } from './rtf.js'
import { sessions } from './sessions.js'
import { signal } from './signal.js'
import { slack } from './slack.js'
import { telegram } from './telegram.js'
import { text } from './text.js'
import { tiddler } from './tiddler.js'
import { trig, turtle } from './turtle.js'
import { whatsapp } from './whatsapp.js'
import { wordpress } from './wordpress.js'
import { xlsx } from './xlsx.js'

export { type Format, OtherFile, type SourceFile, UnreadableFile } from './format.js'

/** Formats of single files. */
export const FORMATS: readonly Format[] = [
  jsonl,
  ntriples,
  turtle,
  nquads,
  trig,
  rdfxml,
  jsonld,
  csv,
  markdown,
  org,
  tiddler,
  sessions,
  keep,
  roam,
  slack,
  signal,
  telegram,
  chats,
  jsontable,
  jsonlines,
  outlook,
  mail,
  mbox,
  calendar,
  contacts,
  pdf,
  docx,
  xlsx,
  ods,
  pptx,
  odt,
  odp,
  rtf,
  html,
  bookmarks,
  evernote,
  wordpress,
  opml,
  epub,
  text,
  whatsapp,
  kindle,
]

/** The format with this id ("ntriples"), for this extension ("nt") or file name ("people.NT"), or null. */
export function findFormat(wanted: string): Format | null {
  const name = wanted.trim().toLowerCase()
  const byId = FORMATS.find(({ id, extensions }) => id === name || extensions.includes(name))
  return byId ?? formatOfFile(name)
}

/** The format of files with this name, or null. */
export function formatOfFile(path: string): Format | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const extension = extensionOf(name)
  return (
    FORMATS.find(({ names }) => names?.test(name)) ??
    FORMATS.find(({ extensions }) => extensions.includes(extension)) ??
    null
  )
}
