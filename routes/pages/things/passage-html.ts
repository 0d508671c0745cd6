import { loadPassageRenderer, parseText } from '../../../engine/rendering/index.js'
import { namePath } from '../safes/safe-links.js'

/** Maximum characters of a passage parsed as Markdown here: any text of this size takes milliseconds. */
const MAX = 8_000

/** The parsers of Markdown and YAML, loaded with the first passage: they would slow down every start. */
let renderer: ReturnType<typeof loadPassageRenderer> | undefined

/** A passage as HTML that runs and loads nothing (ADR 70). Its links lead to the things of their names. */
export async function passageHtml(safePath: string, text: string): Promise<string> {
  if (text.length > MAX) return parseText(text).render({ resolve: () => null, passages: [] }).html
  renderer ??= loadPassageRenderer()
  const { renderPassage } = await renderer
  return renderPassage(text, target => ({ href: namePath(safePath, target) }))
}
