import type { Format } from '../shared/format.js'

/** A site that WordPress has exported (WXR): each post and page a document. */
export const wordpress: Format = {
  id: 'wordpress',
  title: 'WordPress export (WXR)',
  extensions: ['xml', 'wxr'],
  hasParts: true,
  isRewritten: true,
  mayBeLegacy: true,
  tells:
    /^(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!--[^>]{0,300}WordPress eXtended RSS|<rss\s[^>]{0,800}xmlns:wp\s{0,3}=\s{0,3}["']https?:\/\/wordpress\.org\/export\/)/,
  async *parse(bytes, file) {
    const { WordPressSite } = await import('./wordpress-site.js')
    yield* new WordPressSite(file).read(bytes)
  },
}
