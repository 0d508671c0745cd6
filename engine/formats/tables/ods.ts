import type { Format } from '../shared/format.js'

/** A workbook in OpenDocument (LibreOffice, Google Sheets): each sheet is a table, as in XLSX. */
export const ods: Format = {
  id: 'ods',
  title: 'Workbook (OpenDocument)',
  extensions: ['ods', 'ots'],
  isBinary: true,
  isZip: true,
  hasParts: true,
  signature: ({ declares }) => declares.startsWith('application/vnd.oasis.opendocument.spreadsheet'),
  async *parse(bytes, file) {
    const [{ ZipParts }, { readSheets }, { checkOpenDocument }, { rowsOf }] = await Promise.all([
      import('../shared/zip-parts.js'),
      import('./sheets.js'),
      import('../office/office-properties.js'),
      import('./ods-sheets.js'),
    ])
    const parts = await ZipParts.open(bytes, 'ODS')
    await checkOpenDocument(parts, 'ODS')
    yield* readSheets('ODS', rowsOf(parts), file)
  },
}
