import type { Format } from '../shared/format.js'

/** An outline (OPML 2): of an outliner its text, of a feed reader its feeds, each a thing in its folder. */
export const opml: Format = {
  id: 'opml',
  title: 'Outline or feeds (OPML)',
  extensions: ['opml'],
  isRewritten: true,
  mayBeLegacy: true,
  tells: /^(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!--[\s\S]{0,900}?-->\s{0,20})?<opml\b/i,
  async *parse(bytes, file) {
    const { OutlineReader } = await import('./outline.js')
    yield* new OutlineReader(file).read(bytes)
  },
}
