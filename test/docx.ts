import { zip } from './zip.js'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const names = {
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  r: office,
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  v: 'urn:schemas-microsoft-com:vml',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
}

/**
 * A DOCX with this body and with other parts, by their names, which are also the ids of their relationships. Its
 * relationship `rId1` is an external picture.
 */
export function docx(
  body: string,
  doctype = '',
  chunks: Readonly<Record<string, string | Buffer>> = {},
): Buffer {
  const spaces = Object.entries(names).map(([prefix, name]) => `xmlns:${prefix}="${name}"`)
  return zip([
    {
      name: '[Content_Types].xml',
      content: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    },
    { name: '_rels/.rels', content: relationship('r', 'officeDocument', 'Target="word/document.xml"') },
    {
      name: 'word/_rels/document.xml.rels',
      content: relationships(
        ['rId1', 'image', 'Target="http://127.0.0.1:9/a.png" TargetMode="External"'],
        ...Object.keys(chunks).map((name): Relation => [name, 'aFChunk', `Target="/word/${name}"`]),
      ),
    },
    {
      name: 'word/document.xml',
      content: `${doctype}<w:document ${spaces.join(' ')}><w:body>${body}</w:body></w:document>`,
    },
    ...Object.entries(chunks).map(([name, content]) => ({ name: `word/${name}`, content })),
  ])
}

type Relation = [id: string, type: string, target: string]

const relationship = (...relation: Relation) => relationships(relation)

const relationships = (...all: Relation[]) =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  `${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" ${target}/>`).join('')}</Relationships>`
