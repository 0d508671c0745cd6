import type { Parsed } from '../../graph/index.js'
import type { SourceFile } from '../shared/format.js'
import { calendar, contacts } from './calendar.js'
import type { OutlookItem } from './outlook-item.js'

/** The records of an appointment, a task or a contact, as those of a calendar or a list of contacts, and its text for people. */
export async function* outlookItemRecords(
  file: SourceFile | undefined,
  { format, text }: OutlookItem,
): AsyncGenerator<Parsed[]> {
  const bytes = async function* () {
    yield Buffer.from(text)
  }
  let isNamed = false
  for await (const batch of (format === 'calendar' ? calendar : contacts).parse(bytes(), file)) {
    for (const parsed of batch) {
      if (!('record' in parsed)) continue
      const { record } = parsed
      // People come after what they have to do with.
      if (record.kind === 'entity' && !isNamed) file?.document?.about({ title: record.name })
      isNamed = true
      if (record.kind !== 'passage') continue
      const { time } = record
      // Each line of a passage is one of its own.
      file?.document?.write(`${record.text.replaceAll('\n', '  \n')}\n`)
      if (time !== undefined) file?.document?.about({ time })
    }
    // The file is no text: what stands in it has no lines.
    yield batch.map(parsed => ({ ...parsed, line: 1 }))
  }
}
