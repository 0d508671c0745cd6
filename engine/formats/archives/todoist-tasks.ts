import { parse } from 'csv-parse/sync'
import type { GraphRecord, Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import { flat } from '../shared/flat.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { inBatches } from '../shared/lines.js'
import { checked } from '../shared/record.js'
import { joined, labelled } from '../shared/values.js'
import { wholeOf } from '../shared/whole-file.js'
import { PartTitles } from './archive-notes.js'

const MAX_MIB = 16
const MAX_NAME_LENGTH = 300
/** Relations of a task by the columns with their values. */
const RELATIONS = { PRIORITY: 'priority', DATE: 'due', DEADLINE: 'deadline', RESPONSIBLE: 'assigned to' }
/** The priority of tasks without one. */
const NO_PRIORITY = '4'
const LABEL = /(?:^|\s)@([\p{L}\p{N}_-]{1,60})/gu

type Row = Partial<Record<string, string>>

/** Reads the tasks and sections of a project, which is named after its file. */
export const readTodoist: Format['parse'] = async function* (bytes, file) {
  const project = baseName(file?.path ?? 'Inbox.csv').replace(/ \[\w{1,40}\]$/, '')
  const titles = new PartTitles()
  let section = project
  /** The tasks that the next one may be part of, outermost first. */
  let above: string[] = []
  const parsed: Parsed[] = []
  for (const { line, row } of rowsIn((await wholeOf(bytes, 'project', MAX_MIB)).toString('utf8'))) {
    const name = flat(row.CONTENT ?? '').slice(0, MAX_NAME_LENGTH)
    const isSection = row.TYPE === 'section'
    const id = titles.next(`${isSection ? project : section} > ${name}`)
    const relations = isSection ? [] : factsOf(row, name)
    above = isSection ? [] : above.slice(0, (Number(row.INDENT) || 1) - 1)
    const [parent = ''] = above.slice(-1)
    relations.push(['part of', parent], ['in section', isSection || section === project ? '' : section])
    relations.push(['in project', project])
    if (isSection) section = id
    else above.push(id)
    const records: GraphRecord[] = [
      { kind: 'entity', id, name, type: isSection ? 'section' : 'task' },
      ...relations
        .filter(([, object]) => object !== '')
        .map(([predicate, object]): GraphRecord => ({ kind: 'relation', subject: id, predicate, object })),
    ]
    if (!isSection) records.push({ kind: 'passage', entity: id, title: id, text: textOf(row, name) })
    parsed.push(...records.map(record => checked(line, record)))
  }
  if (parsed.length === 0) throw new UnreadableFile('This project of Todoist has no tasks.')
  yield* inBatches(parsed)
}

/** The tasks and sections. Comments follow the task that they are about, and become part of its description. */
function rowsIn(text: string): { line: number; row: Row }[] {
  const found: { line: number; row: Row }[] = []
  for (const { record: row, info } of csvRows(text)) {
    const last = found.at(-1)?.row
    if (row.TYPE === 'note' && last) last.DESCRIPTION = joined([last.DESCRIPTION ?? '', row.CONTENT ?? ''])
    if (/^(?:task|section)$/.test(row.TYPE ?? '') && row.CONTENT?.trim())
      found.push({ line: info.lines, row })
  }
  return found
}

/** @throws UnreadableFile */
function csvRows(text: string): { record: Row; info: { lines: number } }[] {
  const relaxed = { relax_column_count: true, relax_quotes: true }
  try {
    return parse(text, { bom: true, columns: true, info: true, ...relaxed })
  } catch {
    throw new UnreadableFile('This project of Todoist is damaged. Export it again.')
  }
}

function factsOf(row: Row, name: string): [predicate: string, object: string][] {
  const facts = Object.entries(RELATIONS).map(([column, predicate]): [string, string] => [
    predicate,
    flat(row[column] ?? '').slice(0, MAX_NAME_LENGTH),
  ])
  const labels = [...name.matchAll(LABEL)].map(([, label = '']): [string, string] => ['tagged', label])
  return [...facts.filter(([what, object]) => what !== 'priority' || object !== NO_PRIORITY), ...labels]
}

const textOf = ({ DESCRIPTION = '', DATE = '', DEADLINE = '' }: Row, name: string) =>
  joined([name, labelled('Due', [DATE]), labelled('Deadline', [DEADLINE]), DESCRIPTION])
