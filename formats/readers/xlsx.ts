import { posix } from 'node:path'
import { type Format, UnreadableFile } from './format.js'
import { isOffice } from './office-kind.js'
import type { SheetRow } from './sheets.js'
import type { ZipParts } from './zip-parts.js'

/**
 * A workbook of Excel, LibreOffice or Google Sheets: each visible sheet is a table. Formulas give the values that were
 * saved with them; nothing is calculated or loaded (ADR 51).
 */
export const xlsx: Format = {
  id: 'xlsx',
  title: 'Workbook (Excel)',
  extensions: ['xlsx', 'xlsm', 'xltx'],
  isBinary: true,
  isZip: true,
  hasParts: true,
  signature: head => isOffice(head, 'xl'),
  async *parse(bytes, file) {
    const [{ ZipParts }, { readSheets }] = await Promise.all([
      import('./zip-parts.js'),
      import('./sheets.js'),
    ])
    yield* readSheets('XLSX', rowsOf(await ZipParts.open(bytes, 'XLSX')), file)
  },
}

const WORKBOOK = 'xl/workbook.xml'

async function* rowsOf(parts: ZipParts): AsyncGenerator<SheetRow[]> {
  const { xmlElements } = await import('./xml-elements.js')
  const { readSharedTexts, XlsxSheet } = await import('./xlsx-sheet.js')
  const { isDateStyle } = await import('./xlsx-dates.js')
  const elementsOf = async (path: string) =>
    parts.has(path) ? xmlElements((await parts.read(path)).toString('utf8')) : []
  const workbook = await elementsOf(WORKBOOK)
  if (workbook.length === 0) throw new UnreadableFile('This is not an XLSX workbook, or it is damaged.')
  const targets = new Map<string | undefined, string>()
  for (const { name, attributes } of await elementsOf('xl/_rels/workbook.xml.rels'))
    if (name === 'Relationship' && attributes.TargetMode !== 'External')
      targets.set(attributes.Id, posix.join('xl', attributes.Target ?? '').replace(/^xl\/xl\//, 'xl/'))
  const is1904 = workbook.some(
    ({ name, attributes: { date1904 = '' } }) => name === 'workbookPr' && /^(?:1|true)$/.test(date1904),
  )
  const texts = await readSharedTexts(
    parts,
    [...targets.values()].find(path => /sharedStrings/i.test(path)),
  )
  const context = { texts, isDate: isDateStyle(await elementsOf('xl/styles.xml')), is1904 }
  for (const { name, attributes } of workbook) {
    if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) continue
    const path = targets.get(attributes['r:id'])
    // A sheet may be a chart, which has no cells.
    if (path === undefined || !parts.has(path) || !path.includes('worksheets/')) continue
    const sheet = new XlsxSheet((attributes.name ?? '').trim() || 'Sheet', context)
    for await (const text of parts.text(path)) yield sheet.read(text)
    yield sheet.end()
  }
}
