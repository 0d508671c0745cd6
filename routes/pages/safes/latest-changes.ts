import type { Change } from '../../../domain/safes/changes/changes.js'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import { runTexts } from '../../../domain/safes/imports/report-text.js'
import { showNumber, showTime } from '../../../platform/common/format.js'
import { safesTexts } from '../../../views/texts/safes.js'

/** The view model of a line of `views/parts/changes.eta`: a change, with the documents that it added. */
interface ChangeLine {
  text: string
  links: { name: string; href: string }[]
  /** Whether there are more documents. */
  hasMore: boolean
  time: string
  /** ISO 8601. */
  datetime: string
}

/** Maximum documents named for a change. */
const NAMED = 3

/** A change in one line. `safePath` is the address of the Safe. */
export function changeLine(safePath: string, change: Change): ChangeLine {
  const documents = change.kind === 'removal' ? [] : change.documents
  return {
    ...textOf(safePath, change),
    hasMore: documents.length > NAMED,
    time: showTime(change.at),
    datetime: new Date(change.at).toISOString(),
  }
}

function textOf(safePath: string, change: Change): Pick<ChangeLine, 'text' | 'links'> {
  const m = safesTexts.changes
  if (change.kind === 'removal') {
    const name = change.shown.join(' – ')
    return {
      text: change.isFact ? m.factRemoved : m.passageRemoved,
      links: [{ name, href: `${safePath}/removed` }],
    }
  }
  const { kind, source, documents, statements, run } = change
  const links = documents
    .slice(0, NAMED)
    .map(({ path, title }) => ({ name: title, href: documentAddress(safePath, path) }))
  if (kind === 'notes' && run) {
    const text = run.removed > 0 ? m.noteRemoved : run.added > 0 ? m.note : m.noteChanged
    return { text: run.by === undefined ? text : m.by(text, run.by), links }
  }
  const size = run ? runTexts(run).join(', ') : `+${showNumber(statements)}`
  return { text: links.length > 0 ? m.withDocuments(source, size) : m.without(source, size), links }
}
