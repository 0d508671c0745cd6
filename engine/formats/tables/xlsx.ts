import { posix } from 'node:path'
import { relationsOf } from '../office/relations.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import { relationOf } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { CellFormats } from './cell-formats.js'
import { MergedCells } from './merged-cells.js'
import { tailOf } from './sheet-tail.js'
import { readSheets, type SheetRow } from './sheets.js'
import { readSharedTexts, XlsxSheet } from './xlsx-sheet.js'

const WORKBOOK = 'xl/workbook.xml'
/** Maximum bytes of a sheet that is searched for merged cells and links, which takes another pass. */
const MAX_MERGED_SIZE = 64 * 1_048_576

/** Reads the visible sheets of a workbook. */
export const readXlsx = (parts: ZipParts, file: SourceFile | undefined, kind: string) =>
  readSheets(kind, rowsOf(parts), file)

async function* rowsOf(parts: ZipParts): AsyncGenerator<SheetRow[]> {
  // The location of the workbook is in `_rels/.rels`, because some programs move it (ECMA-376-2 §6.5).
  const main = (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')?.target
  const path = parts.has(WORKBOOK) ? WORKBOOK : (main ?? WORKBOOK)
  const workbook = await parts.elements(path)
  if (workbook.length === 0) throw new UnreadableFile('This is not an XLSX workbook, or it is damaged.')
  const targets = new Map((await relationsOf(parts, path)).map(({ id, target }) => [id, target]))
  const is1904 = workbook.some(
    ({ name, attributes: { date1904 = '' } }) => name === 'workbookPr' && /^(?:1|true)$/.test(date1904),
  )
  const texts = await readSharedTexts(
    parts,
    [...targets.values()].find(path => /sharedStrings/i.test(path)),
  )
  const formats = new CellFormats(await parts.elements(posix.join(posix.dirname(path), 'styles.xml')), is1904)
  for (const { name, attributes } of workbook) {
    if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) continue
    const sheetPath = targets.get(relationOf(attributes) ?? '')
    // A sheet may be a chart, which has no cells.
    if (sheetPath === undefined || /chartsheets|dialogsheets|macrosheets/i.test(sheetPath)) continue
    const isSmall = parts.size(sheetPath) <= MAX_MERGED_SIZE
    const { links, ranges } = isSmall ? await tailOf(parts, sheetPath) : { links: new Map(), ranges: [] }
    const context = { texts, formats, links, merged: new MergedCells(ranges) }
    const sheet = new XlsxSheet((attributes.name ?? '').trim() || 'Sheet', context)
    yield* sheet.rowsIn(parts.text(sheetPath))
  }
}
