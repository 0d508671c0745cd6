/** An object of a PDF: its text, or a dictionary without brackets and the bytes of its stream. */
export type PdfObject = string | [dictionary: string, stream: Buffer]

/** Builds a PDF of these objects, numbered from 1; the first is the catalog (ISO 32000-1 §7.5). */
export function pdf(objects: readonly PdfObject[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const push = (...pieces: (string | Buffer)[]) => {
    for (const piece of pieces.map(piece => Buffer.from(piece as string))) {
      parts.push(piece)
      length += piece.length
    }
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    push(`${index + 1} 0 obj\n`)
    if (typeof object === 'string') push(object)
    else push(`<<${object[0]} /Length ${object[1].length}>>\nstream\n`, object[1], '\nendstream')
    push('\nendobj\n')
  }
  const table = length
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`)
  push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`, ...entries)
  push(`trailer\n<</Size ${objects.length + 1} /Root 1 0 R>>\nstartxref\n${table}\n%%EOF`)
  return Buffer.concat(parts)
}

/** A PDF of one page with this content; its first form is object 6, its font 5. */
export function pdfPage(content: PdfObject, forms: readonly PdfObject[] = []): Buffer {
  return pdf([
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</Font <</F 5 0 R>> /XObject <</X 6 0 R>>>>>>',
    content,
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
    ...forms,
  ])
}
