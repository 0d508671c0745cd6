import MarkdownIt, { type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import definitionLists from 'markdown-it-deflist'
import footnotes from 'markdown-it-footnote'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { words } from '../../../platform/common/words.js'
import type { Article, ArticleHeading, ParsedDocument, RenderOptions } from '../article.js'
import { frontMatter } from '../front-matter.js'
import { HeadingIds, HeadingLevels } from '../headings.js'
import { innerTarget } from '../web-address.js'
import { attributeLists, attributesOf } from './attributes.js'
import { callouts, fencedBoxes, taskLists } from './boxes.js'
import { components } from './components.js'
import { drawnTables } from './drawn-tables.js'
import { blockIds, icons, marks, properties } from './inline-marks.js'
import { imageHtml, imageTarget, setLinks, shownImage, wikilinkHtml } from './links.js'
import { isFormula, math, showFormulas } from './math.js'
import { placePassages } from './passage-places.js'
import { hrefsIn, htmlLinks, imageTags, isMarkup, rawHtmlText } from './raw-html.js'
import { hiddenHtml, hiddenWords, showTokens, tagEnds } from './rules.js'
import { templates } from './templates.js'
import {
  type BlockReference,
  blockHtml,
  blockReferences,
  blockTarget,
  spacedLinks,
  type Wikilink,
  wikilinks,
} from './wikilinks.js'

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

showTokens(markdown, {
  html_block: ({ content }, { resolve }) => {
    const text = rawHtmlText(content, resolve, true).trim()
    return UNSEEN_HTML.test(text) ? text : `<p class="raw">${text}</p>\n`
  },
  html_inline: ({ content }, { resolve }) => rawHtmlText(content, resolve),
  image: imageHtml,
  wikilink: ({ meta }, options) => wikilinkHtml(meta as Wikilink, options),
  block_reference: ({ meta }, options) => blockHtml(meta as unknown as BlockReference, options),
  fence: codeHtml,
  code_block: codeHtml,
  hidden_words: ({ content }) => hiddenHtml(content),
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

function setHeadings(
  tokens: readonly Token[],
  levels: HeadingLevels,
  ids = new HeadingIds(),
): ArticleHeading[] {
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const line = tokens[at + 1]
    const text = plainText(line)
    const id = ids.next(placeIn(line) ?? text)
    const level = Number(token.tag.slice(1))
    token.attrSet('id', id)
    token.tag = `h${levels.next(level)}`
    // A heading is one line.
    const end = tokens[at + 2]
    if (end) end.tag = token.tag
    return [{ level, text, id }]
  })
}

/** Takes the id of a heading from its line: `# Heading {#id}`. */
function placeIn(line: Token | undefined): string | undefined {
  const at = line?.children?.findLastIndex(({ type }) => type === 'place') ?? -1
  return at === -1 ? undefined : line?.children?.splice(at, 1)[0]?.content
}

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

/** Attributes of a block of code that name it. */
const CODE_NAMES = words('title filename file caption')

/** Code below its name, if it has one: ```js title="config.js". */
function codeHtml({ info, content, attrs }: Token): string {
  const [language = ''] = /^[\w+#-]{1,40}/.exec(info.trim()) ?? []
  const rest = info.trim().slice(language.length)
  const name = attributesOf(rest).find(({ name, value }) => CODE_NAMES.has(name) && value !== '')
  const above = name ? `<p class="code-name">${escapeHtml(name.value)}</p>\n` : ''
  const kinds = [...(attrs ?? []).map(([, value]) => value), ...(language ? [`language-${language}`] : [])]
  const kind = kinds.length > 0 ? ` class="${escapeHtml(kinds.join(' '))}"` : ''
  const hidden = hiddenHtml(hiddenWords(rest.replace(name?.all ?? '', ' ')))
  return `${above}<pre><code${kind}>${escapeHtml(content)}</code></pre>${hidden}\n`
}

/** The distinct targets that `resolve` gets: of wikilinks, relative links and pictures. */
export function linkTargets(tokens: readonly Token[]): string[] {
  const targets = new Set<string>()
  for (const token of tokens) addImages(targets, token)
  for (const token of inlineTokens(tokens)) {
    addImages(targets, token)
    if (token.type === 'wikilink') targets.add((token.meta as Wikilink).target)
    if (token.type === 'block_reference')
      targets.add(blockTarget((token.meta as unknown as BlockReference).id))
    if (token.type === 'link_open')
      targets.add(innerTarget(String(token.attrGet('href') ?? ''))?.target ?? '')
  }
  targets.delete('')
  return [...targets]
}

function addImages(targets: Set<string>, token: Token): void {
  if (token.type === 'image') targets.add(imageTarget(String(token.attrGet('src') ?? '')))
  if (token.type !== 'html_block' && token.type !== 'html_inline') return
  for (const { source } of imageTags(token.content)) targets.add(imageTarget(source))
  if (token.type === 'html_block')
    for (const href of hrefsIn(token.content)) targets.add(innerTarget(href)?.target ?? '')
}

/** Every token inside of blocks. */
export function* inlineTokens(tokens: readonly Token[]): Generator<Token> {
  for (const { children } of tokens) if (children) yield* children
}
