import PostalMime from 'postal-mime'

/** The page in a file of MHTML; its text if there is no page. */
export async function pageIn(bytes: Uint8Array): Promise<string> {
  const { html = '', text = '' } = await PostalMime.parse(bytes, {
    maxNestingDepth: 20,
    maxHeadersSize: 1_048_576,
  })
  return html === '' ? text : html
}
