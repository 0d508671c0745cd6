import { loadPassageRenderer, parseText } from '../../../engine/rendering/index.js'
import { namePath } from '../safes/safe-links.js'

/** Maximum characters of a passage parsed as Markdown here: any text of this size takes milliseconds. */
const MAX = 8_000

/** A passage as HTML that runs and loads nothing (ADR 70). Its links lead to the things of their names. */
export async function passageHtml(safePath: string, text: string): Promise<string> {
  if (text.length > MAX) return parseText(text).render({ resolve: () => null, passages: [] }).html
  // Loading the parsers of Markdown and YAML would slow down every start.
  const { renderPassage } = await loadPassageRenderer()
  return renderPassage(text, target => ({ href: namePath(safePath, target) }))
}
