import { Document } from '../shared/document.js'
import { type Format, UnreadableFile } from '../shared/format.js'

/** Rich Text Format 1.9 (WordPad, TextEdit, Word): passages by paragraph and outline. Pictures and objects are not read. */
export const rtf: Format = {
  id: 'rtf',
  title: 'Rich text (RTF)',
  extensions: ['rtf'],
  isBinary: true,
  signature: ({ text }) => text.startsWith('{\\rtf'),
  async *parse(bytes, file) {
    const { RtfText } = await import('./rtf-text.js')
    const document = new Document(file)
    const text = new RtfText(document)
    let isFirst = true
    for await (const chunk of bytes) {
      const some = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
      if (isFirst && !some.trimStart().startsWith('{\\rtf'))
        throw new UnreadableFile('This is not an RTF: it does not begin with “{\\rtf”.')
      isFirst = false
      text.write(some)
      yield document.take()
    }
    text.end()
    yield document.finish('This RTF has no text.')
  },
}
