import { Document } from '../shared/document.js'
import type { Format, SourceFile } from '../shared/format.js'

/** A text document in OpenDocument (LibreOffice, Google Docs): passages by heading. */
export const odt: Format = {
  id: 'odt',
  title: 'Document (OpenDocument)',
  extensions: ['odt', 'ott', 'fodt'],
  isBinary: true,
  isZip: true,
  signature: ({ declares }) => declares.startsWith('application/vnd.oasis.opendocument.text'),
  parse: (bytes, file) => parseOpenDocument('ODT', bytes, file),
}

/** A presentation in OpenDocument: passages by slide, with the speaker's notes. */
export const odp: Format = {
  id: 'odp',
  title: 'Presentation (OpenDocument)',
  extensions: ['odp', 'otp', 'odg'],
  isBinary: true,
  isZip: true,
  signature: ({ declares }) =>
    /^application\/vnd\.oasis\.opendocument\.(?:presentation|graphics)/.test(declares),
  parse: (bytes, file) => parseOpenDocument('ODP', bytes, file),
}

async function* parseOpenDocument(kind: string, bytes: AsyncIterable<Uint8Array>, file?: SourceFile) {
  const [{ ZipParts }, { OdfText }, { checkOpenDocument }, { readOfficeProperties }, { formulasOf }] =
    await Promise.all([
      import('../shared/zip-parts.js'),
      import('./odf-text.js'),
      import('./office-properties.js'),
      import('./office-properties.js'),
      import('./odf-formulas.js'),
    ])
  const parts = await ZipParts.open(bytes, kind)
  await checkOpenDocument(parts, kind)
  const document = new Document(file)
  await readOfficeProperties(parts, document)
  const text = new OdfText(document, await formulasOf(parts))
  if (parts.has('styles.xml')) text.readStyles(await parts.string('styles.xml'))
  for await (const piece of parts.text('content.xml')) {
    text.write(piece)
    yield document.take()
  }
  text.end()
  yield document.finish(`This ${kind} has no text.`)
}
