/** The address of a document, or of one of its passages, below that of its Safe. */
export function documentAddress(safePath: string, path: string, passage?: number): string {
  const address = `${safePath}/documents/${encoded(path)}`
  return passage === undefined ? address : `${address}#p-${passage}`
}

/** The address of a picture that documents show. */
export const imageAddress = (safePath: string, path: string) => `${safePath}/images/${encoded(path)}`

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')
