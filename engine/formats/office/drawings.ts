import { flat } from '../shared/flat.js'
import { rowOf, ruleOf } from '../shared/markdown-text.js'
import { type XmlElement, xmlElements } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import type { Relation } from './relations.js'

/** Maximum drawings of a part, rows of a chart, its series, and levels of a diagram. */
const MAX_DRAWINGS = 200
const MAX_ROWS = 500
const MAX_SERIES = 30
const MAX_LEVELS = 8

/** The lines of charts and diagrams by relationship id. */
export async function drawingsOf(
  parts: ZipParts,
  relations: readonly Relation[],
): Promise<Map<string, string[]>> {
  const drawings = new Map<string, string[]>()
  for (const { id, type, target, isOutside } of relations) {
    if (isOutside || !/^(?:chart|chartEx|diagramData)$/.test(type) || drawings.size >= MAX_DRAWINGS) continue
    const xml = await parts.string(target)
    drawings.set(id, type === 'diagramData' ? diagramLines(xml) : chartLines(xmlElements(xml)))
  }
  return drawings
}

/** The titles of a chart and its values as a table (ECMA-376-1 §21.2). ODF charts have their own reader. */
function chartLines(elements: readonly XmlElement[]): string[] {
  const titles: string[] = []
  const series: Record<'tx' | 'cat' | 'val', string[]>[] = []
  let place: 'title' | 'tx' | 'cat' | 'val' | null = null
  let at = 0
  for (const { name, attributes, text } of elements) {
    if (name === 'ser') series.push({ tx: [], cat: [], val: [] })
    if (name === 'title') titles.push('')
    if (name === 'title') place = name
    else if (name === 'tx' && place !== 'title') place = 'tx'
    else if (name === 'cat' || name === 'xVal') place = 'cat'
    else if (name === 'val' || name === 'yVal') place = 'val'
    else if (/^(?:ser|plotArea|legend|dLbls|spPr|marker|bubbleSize)$/.test(name)) place = null
    else if (name === 'pt') at = Number(attributes.idx ?? 0) || 0
    else if (place === 'title' && (name === 't' || name === 'v')) titles.push(`${titles.pop() ?? ''}${text}`)
    else if (name === 'v' && place && place !== 'title' && at < MAX_ROWS) {
      const points = series.at(-1)?.[place]
      if (points) points[at] = text.trim()
    }
  }
  const shown = series.slice(0, MAX_SERIES)
  const rows = Math.max(0, ...shown.map(({ val }) => val.length))
  const row = (cells: readonly (string | undefined)[]) => rowOf(cells.map(cell => flat(cell ?? '')))
  const table = [
    row(['', ...shown.map(({ tx }) => tx[0])]),
    ruleOf(shown.length + 1),
    ...Array.from({ length: rows }, (_, at) =>
      row([shown[0]?.cat[at] ?? `${at + 1}`, ...shown.map(({ val }) => numberText(val[at] ?? ''))]),
    ),
  ]
  return [...titles.map(flat).filter(Boolean), ...(rows > 0 ? ['', ...table, ''] : [])]
}

/** The points of a diagram (SmartArt) as a nested list (ECMA-376-1 §21.4). */
function diagramLines(xml: string): string[] {
  const texts = new Map<string, string>()
  const below = new Map<string, { id: string; order: number }[]>()
  let [id, top] = ['', '']
  for (const { name, attributes, text } of xmlElements(xml)) {
    const { modelId = '', type = '', srcId = '', destId = '', srcOrd } = attributes
    if (name === 'pt') {
      id = modelId
      if (type === 'doc') top = id
      if (!/Trans$|^pres$|^doc$/.test(type)) texts.set(id, '')
    } else if (name === 'p' && texts.has(id)) texts.set(id, `${texts.get(id)} `)
    else if (name === 't' && texts.has(id)) texts.set(id, texts.get(id) + text)
    else if (name === 'cxn' && (type === '' || type === 'parOf')) {
      const points = below.get(srcId) ?? []
      below.set(srcId, points)
      points.push({ id: destId, order: Number(srcOrd) || 0 })
    }
  }
  const lines: string[] = []
  const add = (id: string, level: number) => {
    const text = flat(texts.get(id) ?? '')
    texts.delete(id)
    if (text !== '') lines.push(`${'  '.repeat(level)}- ${text}`)
    if (level > MAX_LEVELS) return
    const points = (below.get(id) ?? []).sort((a, b) => a.order - b.order)
    for (const point of points) if (texts.has(point.id)) add(point.id, text === '' ? level : level + 1)
  }
  add(top, 0)
  for (const id of [...texts.keys()]) add(id, 0)
  return lines
}

/** A number as entered: 0.1 is stored as 0.10000000000000001. */
export function numberText(value: string): string {
  if (!/\.\d{12}/.test(value)) return value
  const number = Number(value)
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value
}
