/** A style with the name of its parent. */
export interface BasedStyle {
  parent: string
  isHidden?: boolean
  shift?: 'raised' | 'lowered' | null
}

const MAX_PARENTS = 20

/** A property of a style or its nearest parent that defines it, or undefined. */
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
