/** A style, and the name of the one that it is based on. */
export interface BasedStyle {
  parent: string
  isHidden?: boolean
  shift?: 'raised' | 'lowered' | null
}

const MAX_PARENTS = 20

/** What a style says, or the nearest of those that it is based on; undefined: none says it. */
export function inherited<Style extends BasedStyle, Value>(
  styles: ReadonlyMap<string, Style>,
  name: string,
  of: (style: Style) => Value | undefined,
): Value | undefined {
  for (let at = name, count = 0; count < MAX_PARENTS; count++) {
    const style = styles.get(at)
    const value = style && of(style)
    if (!style || value !== undefined) return value
    at = style.parent
  }
  return undefined
}
