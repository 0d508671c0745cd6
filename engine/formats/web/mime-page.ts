/** Whether bytes are a page with its pictures in one file (MHTML, RFC 2557). */
export const isMime = (bytes: Uint8Array): boolean =>
  /^mime-version:|^content-type:\s{0,5}multipart\/related/im.test(
    Buffer.from(bytes.subarray(0, 2_000)).toString('latin1'),
  )

/** The page in such a file; its text if there is no page. */
export async function pageIn(bytes: Uint8Array): Promise<string> {
  const { default: PostalMime } = await import('postal-mime')
  const { html = '', text = '' } = await PostalMime.parse(bytes, {
    maxNestingDepth: 20,
    maxHeadersSize: 1_048_576,
  })
  return html === '' ? text : html
}
