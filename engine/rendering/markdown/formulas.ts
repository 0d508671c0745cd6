import temml from 'temml'

/** Maximum characters of a formula, and of all of a document, which take up to two seconds; others stay code. */
const MAX_LENGTH = 4_000
const MAX_CHARACTERS = 100_000
/** Definitions of new commands, which could be expanded without end. */
const DEFINITION =
  /\\(?:[egx]?def|let|futurelet|(?:re|provide)?(?:new)?command|newenvironment|DeclareMathOperator)(?![a-z])/i
/** `annotate`: the TeX stays in the page. At most 20 em for each given size, and 200 expansions. */
const OPTIONS = { annotate: true, throwOnError: true, maxExpand: 200, maxSize: [20, 20] }
/** Addresses, ids and names of other elements. */
const LEFT_OUT = / (?:id|href|src)="[^"]*"/g
const STYLE = / style="([^"]*)"/g
const COLOUR = /(?:^|;)color:(#\w+)/
const BORDER = /border(?:-(\w+))?:/g

/** `RenderOptions.formula` for one document. */
export function formulaOf(): (tex: string, displayMode: boolean) => string | null {
  let left = MAX_CHARACTERS
  return (tex, displayMode) => {
    left -= tex.length
    return left < 0 ? null : formulaHtml(tex, displayMode)
  }
}

/** A formula of TeX as MathML, with its TeX as an annotation. Null if it is not understood. */
export function formulaHtml(tex: string, displayMode: boolean): string | null {
  if (tex.length > MAX_LENGTH || DEFINITION.test(tex)) return null
  try {
    const html = temml.renderToString(tex, { ...OPTIONS, displayMode })
    return html.startsWith('<math') ? html.replace(LEFT_OUT, '').replace(STYLE, attributesOf) : null
  } catch {
    return null
  }
}

/** Colours and borders as attributes, because pages allow no styles. */
function attributesOf(_: string, style: string): string {
  const colour = COLOUR.exec(style)?.[1]
  const borders = Array.from(style.matchAll(BORDER), ([, side = 'all']) => side).join(' ')
  return (borders && ` data-border="${borders}"`) + (colour ? ` mathcolor="${colour}"` : '')
}
