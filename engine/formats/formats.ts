import './shared/windows-1252.js'
import { bookmarks, evernote, opml, roam, todoist, wordpress } from './archives/exports.js'
import { mastodon, standardNotes, tiddlers, tiddlyWiki } from './archives/json-notes.js'
import { keep } from './archives/keep.js'
import { kindle } from './archives/kindle.js'
import { chats } from './chats/chats.js'
import { discord, messenger } from './chats/json-chats.js'
import { sessions } from './chats/sessions.js'
import { signal } from './chats/signal.js'
import { slack } from './chats/slack.js'
import { telegram } from './chats/telegram.js'
import { whatsapp } from './chats/whatsapp.js'

import { calendar, contacts, mail, mbox, outlook } from './mail/mail.js'
import { canvas } from './notes/canvas.js'
import { markdown } from './notes/markdown.js'
import { org } from './notes/org.js'
import { text } from './notes/text.js'
import { tiddler } from './notes/tiddler.js'
import { pdf } from './office/pdf.js'
import { rtf } from './office/rtf.js'
import { docx, epub, odp, ods, odt, pptx, xlsx } from './office/zip-formats.js'
import { jsonld } from './rdf/json-ld.js'
import { nquads, ntriples, trig, turtle } from './rdf/n3-formats.js'
import { rdfxml } from './rdf/rdf-xml.js'
import { extensionOf } from './shared/file-name.js'
import type { Format } from './shared/format.js'
import { csv } from './tables/csv.js'
import { jsonlines, jsontable } from './tables/json-table.js'
import { jsonl, memoryGraph } from './tables/jsonl.js'
import { html, mhtml } from './web/html.js'
import { csvExport } from './writers/csv.js'
import type { ExportFormat } from './writers/format.js'
import { jsonlExport } from './writers/jsonl.js'
import { ntriplesExport } from './writers/ntriples.js'

const DATA = [jsonl, memoryGraph, ntriples, turtle, nquads, trig, rdfxml, mastodon, jsonld, csv, todoist]
const NOTES = [markdown, org, tiddler, canvas]
/** Exports of programs in JSON, before tables in JSON. */
const EXPORTS = [sessions, keep, standardNotes, tiddlers, roam, slack, signal, telegram, discord]
const OTHER_JSON = [messenger, chats, jsontable, jsonlines]
const MAIL = [mhtml, outlook, mail, mbox, calendar, contacts]
const OFFICE = [pdf, docx, xlsx, ods, pptx, odt, odp, rtf]
const WEB = [html, bookmarks, tiddlyWiki, evernote, wordpress, opml, epub]
const TEXT = [text, whatsapp, kindle]

/** Formats of single files. The first one that fits a file is used. */
export const FORMATS: readonly Format[] = [DATA, NOTES, EXPORTS, OTHER_JSON, MAIL, OFFICE, WEB, TEXT].flat()

/** Formats for exports of a Safe. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [jsonlExport, ntriplesExport, csvExport]

const NAMED = FORMATS.filter(({ names }) => names)
/** The first format of each extension. */
const BY_EXTENSION = new Map(
  FORMATS.toReversed().flatMap(format => format.extensions.map(one => [one, format] as const)),
)

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
  return NAMED.find(({ names }) => names?.test(name)) ?? BY_EXTENSION.get(extension) ?? null
}
