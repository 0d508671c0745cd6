/** A document as a resource: `svc://{safe}/{+path}` (RULES R4). */
interface ResourceUri {
  /** The id of its Safe, or its name. */
  safe: string
  path: string
}

/** The template for all of them (RFC 6570 §3.2.3). */
export const uriTemplate = (brand: string) => `${brand}://{safe}/{+path}`

/** Its address. */
export const resourceUri = (brand: string, { safe, path }: ResourceUri): string =>
  `${brand}://${encodeURIComponent(safe)}/${path.split('/').map(encodeURIComponent).join('/')}`

/** Null if it is not one of our addresses. */
export function readResourceUri(brand: string, uri: string): ResourceUri | null {
  const start = `${brand}://`
  if (!uri.toLowerCase().startsWith(start.toLowerCase())) return null
  const [safeId = '', ...rest] = uri.slice(start.length).split('/')
  try {
    const path = decodeURIComponent(rest.join('/'))
    const safe = decodeURIComponent(safeId)
    return safe === '' || path === '' || `${safe}${path}`.includes('\0') ? null : { safe, path }
  } catch {
    return null
  }
}
