import MarkdownIt, { type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import definitionLists from 'markdown-it-deflist'
import footnotes from 'markdown-it-footnote'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import type { Article, Heading, ParsedDocument, RenderOptions } from '../article.js'
import { frontMatter } from '../front-matter.js'
import { HeadingIds, HeadingLevels } from '../headings.js'
import { attributeLists } from './attribute-lists.js'
import { hiddenHtml, hiddenWords } from './block-parts.js'
import { type BlockReference, blockHtml, blockReferences } from './block-references.js'
import { callouts, taskLists } from './boxes.js'
import { components } from './components.js'
import { drawnTables } from './drawn-tables.js'
import { fencedBoxes } from './fenced-boxes.js'
import { blockIds, icons, marks, properties } from './inline-marks.js'
import { inlineTokens, linkTargets } from './link-targets.js'
import { imageHtml, imageTarget, setLinks, shownImage, wikilinkHtml } from './links.js'
import { isFormula, math, showFormulas } from './math.js'
import { placePassages } from './places.js'
import { htmlLinks, isMarkup, rawHtmlText } from './raw-html.js'
import { tagEnds } from './rules.js'
import { templates } from './templates.js'
import { spacedLinks, type Wikilink, wikilinks } from './wikilinks.js'

/**
 * CommonMark, with emphasis beside Chinese, Japanese and Korean, tables, strike-through, footnotes, task lists, callouts, wikilinks, highlights, properties and formulas.
 * `html` is on so that raw HTML is recognized; the rules below show its text. Links are judged in `links.ts`, so that a refused
 * one keeps its words.
 */
const markdown = new MarkdownIt({ html: true, linkify: true })
  .use(cjkFriendly)
  .use(tagEnds)
  .use(footnotes)
  .use(definitionLists)
  .use(wikilinks)
  .use(blockReferences)
  .use(spacedLinks)
  .use(taskLists)
  .use(callouts)
  .use(fencedBoxes)
  .use(math)
  .use(components)
  .use(htmlLinks)
  .use(marks)
  .use(properties)
  .use(blockIds)
  .use(icons)
  .use(attributeLists)
  .use(templates)
  .use(drawnTables)
markdown.validateLink = () => true
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

/** Hides paragraphs that are empty or only have words for programs, which would leave a gap. */
const UNSEEN_HTML = /^(?:<span hidden>[^<]*<\/span>\s*)*$/

Object.assign(markdown.renderer.rules, {
  html_block: (tokens: Token[], at: number, _: unknown, { resolve }: RenderOptions) => {
    const text = rawHtmlText(tokens[at]?.content ?? '', resolve, true).trim()
    return UNSEEN_HTML.test(text) ? text : `<p class="raw">${text}</p>\n`
  },
  html_inline: (tokens: Token[], at: number, _: unknown, { resolve }: RenderOptions) =>
    rawHtmlText(tokens[at]?.content ?? '', resolve),
  image: (tokens: Token[], at: number, _: unknown, options: RenderOptions) =>
    imageHtml(tokens[at] as Token, options),
  wikilink: (tokens: Token[], at: number, _: unknown, options: RenderOptions) =>
    wikilinkHtml(tokens[at]?.meta as Wikilink, options),
  block_reference: (tokens: Token[], at: number, _: unknown, options: RenderOptions) =>
    blockHtml(tokens[at]?.meta as unknown as BlockReference, options),
  fence: (tokens: Token[], at: number) => codeHtml(tokens[at] as Token),
  code_block: (tokens: Token[], at: number) => codeHtml(tokens[at] as Token),
  hidden_words: (tokens: Token[], at: number) => hiddenHtml(tokens[at]?.content ?? ''),
  // Wide tables scroll; the tab stop is for people without a mouse.
  table_open: () => '<div class="scroll" tabindex="0"><table>\n',
  table_close: () => '</table></div>\n',
})
showFormulas(markdown)

/** The value of a property: text with links. */
const propertyText = new MarkdownIt('zero', { linkify: true }).use(wikilinks).enable(['link', 'linkify'])
propertyText.validateLink = () => true
propertyText.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
Object.assign(propertyText.renderer.rules, { wikilink: markdown.renderer.rules.wikilink })

/** A note in Markdown: its front matter as a list of properties, then its text. `breaks`: line ends in a paragraph are shown. */
export function parseMarkdown(text: string, breaks = false): ParsedDocument {
  const front = frontMatter(text)
  // Empty lines in its place, so that lines keep their numbers.
  const body = front ? '\n'.repeat(front.lines) + text.split('\n').slice(front.lines).join('\n') : text
  const tokens = markdown.parse(body, {})
  const inValues = (front?.values ?? []).flatMap(value => propertyText.parseInline(value, {}))
  const cover = { source: front?.cover ?? '', description: '' }
  return {
    targets: [...new Set([...linkTargets([...inValues, ...tokens]), imageTarget(cover.source)])].filter(
      Boolean,
    ),
    hasFormulas: tokens.some(token => isFormula(token) || token.children?.some(isFormula)),
    render: options => {
      const image = shownImage(cover, options.resolve, true) ?? ''
      const before = image + (front?.html(value => propertyHtml(value, options)) ?? '')
      return render(tokens, before, { ...options, breaks })
    },
  }
}

/** A passage of an answer. Headings become lines, because a page has many passages. */
export function renderPassage(text: string, resolve: RenderOptions['resolve']): string {
  const tokens = markdown.parse(text, {})
  setLinks(tokens, resolve)
  for (const token of tokens) {
    setAlignment(token)
    if (token.type !== 'heading_open' && token.type !== 'heading_close') continue
    token.tag = 'p'
    if (token.nesting === 1) token.attrs = [['class', 'heading']]
  }
  return markdown.renderer.render(tokens, markdown.options, { resolve, passages: [] })
}

function render(tokens: Token[], before: string, options: RenderOptions & { breaks: boolean }): Article {
  const { breaks } = options
  setLinks(tokens, options.resolve)
  const hasTitle = tokens[0]?.tag === 'h1' && plainText(tokens[1]) === options.title
  const outline = setHeadings(tokens, new HeadingLevels(hasTitle ? 0 : 1), options.ids)
  for (const token of tokens) setAlignment(token)
  const placed = placePassages(tokens, options.passages)
  return {
    html: before + markdown.renderer.render([...placed], { ...markdown.options, breaks }, { ...options }),
    outline,
    hasTitle,
  }
}

function propertyHtml(value: string, { resolve, passages }: RenderOptions): string {
  const tokens = propertyText.parseInline(value, {})
  setLinks(tokens, resolve)
  return propertyText.renderer.render(tokens, propertyText.options, { resolve, passages })
}

function setHeadings(tokens: readonly Token[], levels: HeadingLevels, ids = new HeadingIds()): Heading[] {
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const line = tokens[at + 1]
    const text = plainText(line)
    const id = ids.next(placeIn(line) ?? text)
    const level = Number(token.tag.slice(1))
    token.attrSet('id', id)
    token.tag = `h${levels.next(level)}`
    const end = closing(tokens, at)
    if (end) end.tag = token.tag
    return [{ level, text, id }]
  })
}

/** Takes the id of a heading from its line: `# Heading {#id}`. */
function placeIn(line: Token | undefined): string | undefined {
  const at = line?.children?.findLastIndex(({ type }) => type === 'place') ?? -1
  return at === -1 ? undefined : line?.children?.splice(at, 1)[0]?.content
}

/** Ends a heading, which is one line. */
const closing = (tokens: readonly Token[], at: number) => tokens[at + 2]

const UNSEEN = new Set(['hidden_words', 'component_tag', 'block_id', 'place'])

/** The words of a line, without its marks. */
function plainText(token: Token | undefined): string {
  if (!token) return ''
  return [...inlineTokens([token])]
    .filter(({ type, content }) => !UNSEEN.has(type) && !(type === 'html_inline' && isMarkup(content)))
    .map(({ type, content, meta }) => (type === 'wikilink' ? (meta as Wikilink).label : content))
    .join('')
    .trim()
}

/** Columns are aligned by a class, because pages allow no styles. */
function setAlignment(token: Token): void {
  if (token.type !== 'th_open' && token.type !== 'td_open') return
  const [, side] = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? '')) ?? []
  token.attrs = side === undefined ? [] : [['class', side]]
}

const CODE_NAME =
  /(?:^|[\s{])(?:title|filename|file|caption)=(?:"([^"]{1,300})"|'([^']{1,300})'|([^\s"'{}]{1,300}))/i

/** Code below its name, if it has one: ```js title="config.js". */
function codeHtml({ info, content, attrs }: Token): string {
  const [language = ''] = /^[\w+#-]{1,40}/.exec(info.trim()) ?? []
  const rest = info.trim().slice(language.length)
  const [given = '', ...values] = CODE_NAME.exec(rest) ?? []
  const title = values.find(Boolean)
  const above = title === undefined ? '' : `<p class="code-name">${escapeHtml(title)}</p>\n`
  const names = [...(attrs ?? []).map(([, value]) => value), ...(language ? [`language-${language}`] : [])]
  const name = names.length > 0 ? ` class="${escapeHtml(names.join(' '))}"` : ''
  const words = hiddenHtml(hiddenWords(rest.replace(given, ' ')))
  return `${above}<pre><code${name}>${escapeHtml(content)}</code></pre>${words}\n`
}
