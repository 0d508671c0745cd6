import { Parser } from 'htmlparser2'
import { piecesOf } from '../shared/lines.js'

export interface Slide {
  title: string
  lines: string[]
  isHidden: boolean
}

/** Placeholders whose text is not the slide's own (ECMA-376-1 §19.7.10). */
const ASIDE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])
const LONGEST_LINE = 20_000
const MOST_LINES = 20_000

/** The text of a slide or of its notes (ECMA-376-1 §19.3, §21.1.2): paragraphs, lists and tables in their order. */
export function readSlide(xml: string): Slide {
  const slide: Slide = { title: '', lines: [], isHidden: false }
  let kind = ''
  let level = 0
  let paragraph = ''
  let isText = false
  let row: string[] | null = null
  const endParagraph = () => {
    const text = paragraph.replace(/\s+/g, ' ').trim()
    paragraph = ''
    if (text === '' || ASIDE.has(kind) || slide.lines.length >= MOST_LINES) return
    if (row) row[row.length - 1] = `${row.at(-1) ?? ''} ${text}`.trim()
    else if (/^(?:title|ctrTitle)$/.test(kind)) slide.title = `${slide.title} ${text}`.trim()
    else slide.lines.push(level > 0 ? `${'  '.repeat(level)}- ${text}` : text)
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (name === 'p:sld') slide.isHidden = attributes.show === '0'
        else if (name === 'p:sp' || name === 'p:graphicFrame') kind = ''
        else if (name === 'p:ph') kind = attributes.type ?? 'body'
        else if (name === 'a:pPr') level = Math.min(9, Number(attributes.lvl ?? 0) || 0)
        else if (name === 'a:p') level = 0
        else if (name === 'a:tr') row = []
        else if (name === 'a:tc') row?.push('')
        else if (name === 'a:br') paragraph += ' '
        else if (name === 'a:t') isText = true
      },
      ontext: text => {
        if (isText && paragraph.length < LONGEST_LINE) paragraph += text
      },
      onclosetag: name => {
        if (name === 'a:t') isText = false
        else if (name === 'a:p') endParagraph()
        else if (name === 'a:tr') {
          if (row?.some(cell => cell !== '')) slide.lines.push(`| ${row.join(' | ')} |`)
          row = null
        }
      },
    },
    { xmlMode: true },
  )
  for (const piece of piecesOf(xml)) parser.write(piece)
  parser.end()
  return slide
}
