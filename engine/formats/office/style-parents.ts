import type { Shift } from '../shared/raised-text.js'

/** A style with the name of its parent. */
export interface BasedStyle {
  parent: string
  isHidden?: boolean
  shift?: Shift | null
}

const MAX_PARENTS = 20

/** The styles of a document by name. */
export class Styles<Style extends BasedStyle = BasedStyle> extends Map<string, Style> {
  /** A property of a style or its nearest parent that defines it, or undefined. */
  inherited<Value>(name: string, of: (style: Style) => Value | undefined): Value | undefined {
    let style = this.get(name)
    for (let count = 0; style && count < MAX_PARENTS; count++) {
      const value = of(style)
      if (value !== undefined) return value
      style = this.get(style.parent)
    }
    return undefined
  }

  isHidden(name: string): boolean {
    return this.inherited(name, ({ isHidden }) => isHidden) ?? false
  }

  shiftOf(name: string): Shift | null {
    return this.inherited(name, ({ shift }) => shift) ?? null
  }
}
