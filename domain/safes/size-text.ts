import { counted } from '../../platform/common/format.js'
import type { Counts } from './safe.js'

/** Amounts of what a Safe contains: “3 things”. */
export const amount = {
  documents: counted('document', 'documents'),
  things: counted('thing', 'things'),
  relations: counted('relation', 'relations'),
  passages: counted('passage', 'passages'),
}

/** The size of a Safe, an import or a difference: “2 documents”, “3 things”, … Documents only if there are any. */
export const sizeTexts = ({
  entities,
  relations,
  passages,
  documents = 0,
}: Counts & { documents?: number | undefined }): string[] => [
  ...(documents > 0 ? [amount.documents(documents)] : []),
  amount.things(entities),
  amount.relations(relations),
  amount.passages(passages),
]
