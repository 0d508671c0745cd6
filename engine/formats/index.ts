/**
 * Reads files of many programs as graph records, and exports graphs as files.
 *
 * - Takes: the bytes of a file as they arrive and its name (`identify` picks a `Format`; `Format.parse` reads).
 * - Gives: batches of `Parsed` records, each with its line (1-based); a `DocumentSink` receives the document's text,
 *   dates and tags. `EXPORT_FORMATS` write statements and passages.
 * - Refuses: `UnreadableFile`, with a sentence for the owner, if the file cannot be read at all; `OtherFile` if it
 *   is of another kind. A bad line is a `problem` among the records and never an error.
 * - Costs: time linear in the input. Memory is constant for streamed formats; formats that need the whole file
 *   (PDF, office documents, mail) have a limit in MiB (`shared/whole-file.ts`, `shared/zip-parts.ts`). Parsers of single
 *   formats load on first use. Files from untrusted sources must be read in a process that may crash.
 */
export { valueWithoutSecrets, withoutSecrets } from './chats/secrets.js'
export { EXPORT_FORMATS, FORMATS, findFormat, formatOfFile } from './formats.js'
export { identify, identifyName } from './identify.js'
export { graphOf, IdReader, noteIds } from './notes/note-ids.js'
export { NoteNames, namesOf, noteNamesOf } from './notes/note-names.js'
export { contentOf as propertyOf } from './notes/note-properties.js'
export { plainText } from './notes/note-text.js'
export { isNotion, isNotionPart, notionPaths, withoutNotionIds } from './notes/notion-paths.js'
export { notionText } from './notes/notion-properties.js'
export {
  type DocumentHeading,
  editedText,
  headingsOf,
  placeOf,
  type TextEdit,
} from './notes/text-headings.js'
export { isVaultSettings, lineBreaksIn, SETTINGS_FILE, SETTINGS_FOLDER } from './notes/vault-settings.js'
export { utf8Of, withoutCuts } from './shared/encoding.js'
export { extensionOf } from './shared/file-name.js'
export {
  type DocumentFacts,
  type DocumentSink,
  type Format,
  OtherFile,
  type SourceFile,
  UnreadableFile,
} from './shared/format.js'
export { isTooLong } from './shared/record.js'
export { zipName } from './shared/zip-name.js'
export { guarded } from './tables/own-columns.js'
export type { TableSink, TableSummary } from './tables/table-reading.js'
export { image, imageType, isImage, wholeImage } from './web/image.js'
export type { ExportFormat, PassageText, Statement, WrittenEntity } from './writers/format.js'
