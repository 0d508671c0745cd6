/** `notes/Ada Lovelace.md` → `Ada Lovelace`. */
export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

/** In lower case without the dot; empty if there is no extension or the dot ends a sentence. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : ''
  return /\s/.test(extension) ? '' : extension
}
