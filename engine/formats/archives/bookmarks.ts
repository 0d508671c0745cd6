import type { Format } from '../shared/format.js'

/** The bookmarks of a browser (Netscape's format, which all of them export): each a thing in its folder. */
export const bookmarks: Format = {
  id: 'bookmarks',
  title: 'Bookmarks of a browser',
  extensions: ['html', 'htm'],
  mayBeLegacy: true,
  begins: /^<!DOCTYPE NETSCAPE-Bookmark-file-1>/i,
  async *parse(bytes, file) {
    const { BookmarkReader } = await import('./bookmark-list.js')
    yield* new BookmarkReader(file).read(bytes)
  },
}
