// A process that renders documents: one at a time, first read, then written (docs/decisions/0070).
import { guardChild } from '../../platform/common/child-guard.js'
import type { ParsedDocument } from './article.js'
import { parseDocument } from './document.js'
import type { FromRenderer, ToRenderer } from './render-messages.js'

let parsed: ParsedDocument | null = null

const send = (message: FromRenderer) => process.send?.(message, undefined, undefined, () => {})

guardChild()
process.on('message', ({ parse, render }: ToRenderer) => {
  if (parse) {
    parsed = parseDocument(parse.kind, parse.text)
    send({ targets: parsed.targets, instead: parsed.instead })
  } else if (render && parsed) {
    const found = new Map(render.found)
    const { passages, title } = render
    const article = parsed.render({ resolve: target => found.get(target) ?? null, passages, title })
    parsed = null
    send({ article })
  }
})
