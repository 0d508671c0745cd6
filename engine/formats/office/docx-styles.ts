import { shiftOf } from '../shared/raised-text.js'
import type { XmlElement } from '../shared/xml-elements.js'
import { type BasedStyle, Styles } from './style-parents.js'

/** The properties of a style that are read (ECMA-376-1 §17.7). */
interface Style extends BasedStyle {
  name: string
  /** Heading level, from 1; 0 for none. */
  level?: number
  list?: { id: string; level: number }
}

interface Level {
  start: number
  kind: 'bullet' | 'number' | 'none'
}

/** The styles and lists of a DOCX. */
export class DocxStyles extends Styles<Style> {
  /** By abstract numbering and level. */
  readonly #levels = new Map<string, Level>()
  /** The abstract numbering and start numbers of each list, and the list styles of abstract numberings. */
  readonly #lists = new Map<string, { abstract: string; starts: Map<number, number> }>()
  readonly #linked = new Map<string, string>()
  /** The last numbers of each abstract numbering, by level. */
  readonly #numbers = new Map<string, (number | undefined)[]>()

  /** @param styles the elements of `word/styles.xml` @param numbering the elements of `word/numbering.xml` */
  constructor(styles: readonly XmlElement[], numbering: readonly XmlElement[]) {
    super()
    this.#readStyles(styles)
    this.#readLists(numbering)
  }

  #readStyles(elements: readonly XmlElement[]): void {
    let style: Style = { name: '', parent: '' }
    for (const { name, attributes } of elements) {
      const { 'w:val': value = '' } = attributes
      if (name === 'style') {
        style = { name: '', parent: '' }
        this.set(attributes['w:styleId'] ?? '', style)
      } else if (name === 'name') style.name ||= value
      else if (name === 'basedOn') style.parent = value
      else if (name === 'outlineLvl') style.level = levelOf(value)
      else if (name === 'numId') style.list = { id: value, level: style.list?.level ?? 0 }
      else if (name === 'ilvl') style.list = { id: style.list?.id ?? '', level: Number(value) || 0 }
      else if (name === 'vanish') style.isHidden = isOn(attributes)
      else if (name === 'vertAlign' || name === 'position') style.shift = shiftOf(value)
    }
  }

  #readLists(elements: readonly XmlElement[]): void {
    let [abstract, list, level] = ['', '', 0]
    for (const { name, attributes } of elements) {
      const { 'w:val': value = '' } = attributes
      if (name === 'abstractNum') [abstract, list] = [attributes['w:abstractNumId'] ?? '', '']
      else if (name === 'num') list = attributes['w:numId'] ?? ''
      else if (name === 'abstractNumId') this.#lists.set(list, { abstract: value, starts: new Map() })
      else if (name === 'numStyleLink') this.#linked.set(abstract, value)
      else if (name === 'lvl' || name === 'lvlOverride') {
        level = Number(attributes['w:ilvl']) || 0
        if (name === 'lvl' && list === '')
          this.#levels.set(`${abstract} ${level}`, { start: 1, kind: 'number' })
      } else if (name === 'startOverride' || (name === 'start' && list !== ''))
        this.#lists.get(list)?.starts.set(level, Number(value) || 0)
      else {
        const known = this.#levels.get(`${abstract} ${level}`)
        if (known && list === '' && name === 'start') known.start = Number(value) || 0
        else if (known && list === '' && name === 'numFmt')
          known.kind = value === 'bullet' || value === 'none' ? value : 'number'
      }
    }
  }

  /** The heading level of a style, from 1; 0 if it is not a heading. */
  headingOf(style: string): number {
    return this.inherited(style, ({ level, name }) => level ?? headingNamed(name)) ?? 0
  }

  listOf(style: string): Style['list'] {
    return this.inherited(style, ({ list }) => (list?.id ? list : undefined))
  }

  /** The marker of the next list item at a level from 0; empty if it has none. */
  markOf(list: string, level: number): string {
    const { abstract, starts } = this.#abstractOf(list)
    const { kind, start } = this.#levels.get(`${abstract} ${level}`) ?? { kind: 'bullet', start: 1 }
    const numbers = this.#numbers.get(abstract) ?? []
    this.#numbers.set(abstract, numbers)
    numbers.length = Math.min(numbers.length, level + 1)
    const own = starts.get(level)
    starts.delete(level)
    const last = numbers[level]
    numbers[level] = own ?? (last === undefined ? start : last + 1)
    return kind === 'bullet' ? '-' : kind === 'none' ? '' : `${numbers[level]}.`
  }

  #abstractOf(list: string): { abstract: string; starts: Map<number, number> } {
    const own = this.#lists.get(list) ?? { abstract: '', starts: new Map() }
    const linked = this.listOf(this.#linked.get(own.abstract) ?? '\0')
    const abstract = linked && this.#lists.get(linked.id)?.abstract
    return abstract === undefined ? own : { ...own, abstract }
  }
}

/** The level of `w:outlineLvl`, where 9 means body text. */
export const levelOf = (value: string): number => (/^[0-8]$/.test(value) ? Number(value) + 1 : 0)

/** Whether an on/off element is on (ECMA-376-1 §17.17.4). */
export const isOn = ({ 'w:val': value = '1' }: Record<string, string>): boolean =>
  !/^(?:0|false|off|none)$/.test(value)

function headingNamed(name: string): number | undefined {
  const [, level] = /^heading ([1-9])$/i.exec(name) ?? []
  return level !== undefined ? Number(level) : /^title$/i.test(name) ? 1 : undefined
}
