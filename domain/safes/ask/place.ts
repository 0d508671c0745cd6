import { documentAddress } from '../documents/document-address.js'
import { passageId } from '../passage-id.js'
import type { StoredPassage } from '../stores/types.js'
import type { AnswerPassage } from './answer.js'

const BETWEEN = ' > '

/**
 * The place of a passage: its document, the headings above it, and the page that shows it (RULES R2). `safePath` is the
 * address of the Safe.
 */
export function placeOf(
  safePath: string,
  { importId, id, title, document }: StoredPassage,
): Pick<AnswerPassage, 'document' | 'heading' | 'url'> {
  if (document === null) return { url: `${safePath}/passages/${passageId({ importId, id })}` }
  const start = title.indexOf(BETWEEN)
  const heading = start === -1 ? {} : { heading: title.slice(start + BETWEEN.length) }
  return { document, ...heading, url: documentAddress(safePath, document, id) }
}
