/** The address of a document, or of one of its passages, below that of its Safe. */
export function documentAddress(safePath: string, path: string, passage?: number): string {
  const address = `${safePath}/documents/${path.split('/').map(encodeURIComponent).join('/')}`
  return passage === undefined ? address : `${address}#p-${passage}`
}
