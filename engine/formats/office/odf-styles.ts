import type { Attributes, End } from '../shared/element-reader.js'
import { type BasedStyle, Styles } from './style-parents.js'

const MAX_STYLES = 20_000

/** Collects the text and list styles of a document (OpenDocument 1.3 part 3 §16). */
export class OdfStyles {
  readonly #texts = new Styles()
  /** Start numbers by list style and level; bullets have none. */
  readonly #starts = new Map<string, number>()
  #style: BasedStyle | null = null
  #list = ''

  /** Returns a function that is called at the end of a style. */
  open(name: string, attributes: Attributes): End {
    if (name === 'style:style') return this.#begin(attributes)
    if (name === 'style:text-properties' && this.#style) {
      const { 'text:display': display, 'style:text-position': position = '' } = attributes
      if (display !== undefined) this.#style.isHidden = display === 'none'
      const [, shift = ''] = /^(super|sub|-?[1-9]\d{0,2})/.exec(position) ?? []
      if (position !== '')
        this.#style.shift = shift === '' ? null : /^(?:sub|-)/.test(shift) ? 'lowered' : 'raised'
    } else if (name === 'text:list-style') this.#list = attributes['style:name'] ?? ''
    else if (
      name === 'text:list-level-style-number' &&
      attributes['style:num-format'] &&
      this.#starts.size < MAX_STYLES
    )
      this.#starts.set(
        `${this.#list} ${attributes['text:level']}`,
        Number(attributes['text:start-value'] ?? 1) || 0,
      )
    return undefined
  }

  #begin(attributes: Attributes): End {
    const family = attributes['style:family']
    const key = `${family} ${attributes['style:name']}`
    this.#style = { parent: `${family} ${attributes['style:parent-style-name'] ?? ''}` }
    if (this.#texts.size < MAX_STYLES) this.#texts.set(key, this.#style)
    return () => {
      this.#style = null
    }
  }

  /** @param family `text` or `paragraph` */
  isUnseen(family: string, name = ''): boolean {
    return this.#texts.isHidden(`${family} ${name}`)
  }

  shiftOf(family: string, name = ''): 'raised' | 'lowered' | null {
    return this.#texts.shiftOf(`${family} ${name}`)
  }

  /** The start number of a list at a level from 1, or null for bullets. */
  startOf(list: string, level: number): number | null {
    return this.#starts.get(`${list} ${level}`) ?? null
  }
}
