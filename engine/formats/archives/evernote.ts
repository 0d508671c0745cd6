import type { Format } from '../shared/format.js'

/** An export of Evernote (ENEX): each note a document with its dates, tags and links. */
export const evernote: Format = {
  id: 'evernote',
  title: 'Evernote export',
  extensions: ['enex'],
  hasParts: true,
  mayBeLegacy: true,
  tells: /^(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!DOCTYPE en-export\b[^>]{0,200}>\s{0,20})?<en-export\b/i,
  async *parse(bytes, file) {
    const { EvernoteReader } = await import('./evernote-notes.js')
    yield* new EvernoteReader(file).read(bytes)
  },
}
