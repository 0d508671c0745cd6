import type { Token } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import type { RenderOptions } from '../article.js'
import { headingId } from '../headings.js'
import { innerTarget, webAddress } from '../web-address.js'
import { blockId } from './inline-marks.js'
import type { Wikilink } from './wikilinks.js'

const IMAGE_FILE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|mp4|webm|mov|mp3|wav|ogg|m4a)$/i

/** The target of a picture, without the parts that only web servers use. */
export const imageTarget = (source: string) => innerTarget(source)?.target.split('?', 1)[0] ?? ''

/** A picture in a text. `width` in pixels, decimal. */
export interface ImageTag {
  source: string
  description: string
  width?: string | undefined
}

/** Gives each link its address in the service or on the web. A broken link becomes text in the style of a link. */
export function setLinks(tokens: readonly Token[], resolve: RenderOptions['resolve']): void {
  for (const { children } of tokens) {
    const open: boolean[] = []
    for (const token of children ?? []) {
      if (token.type === 'link_open') open.push(setLink(token, resolve))
      if (token.type === 'link_close' && open.pop() === false) token.tag = 'span'
      if (token.type === 'image') token.meta = { isLinked: open.includes(true) }
    }
  }
}

/** False if it is no longer a link. */
function setLink(token: Token, resolve: RenderOptions['resolve']): boolean {
  const attributes = linkAttributes(String(token.attrGet('href') ?? ''), resolve)
  token.attrs = attributes ?? [['class', 'dead']]
  if (!attributes) token.tag = 'span'
  return attributes !== null
}

function linkAttributes(href: string, resolve: RenderOptions['resolve']): [string, string][] | null {
  const address = webAddress(href)
  if (address) return [['href', address], WEB]
  const inner = innerTarget(href)
  const found = inner && innerHref(inner.target, inner.heading, resolve)
  return found ? [['href', found]] : null
}

/** The opening tag of a link, or null if it leads nowhere. */
export function linkTag(href: string, resolve: RenderOptions['resolve']): string | null {
  const attributes = linkAttributes(href, resolve)?.map(([name, value]) => `${name}="${escapeHtml(value)}"`)
  return attributes ? `<a ${attributes.join(' ')}>` : null
}

const WEB: [string, string] = ['rel', 'noreferrer nofollow']

/** HTML as a link to an address on the web. */
export const webLink = (address: string, html: string): string =>
  `<a href="${escapeHtml(address)}" ${WEB[0]}="${WEB[1]}">${html}</a>`

function innerHref(target: string, heading: string, resolve: RenderOptions['resolve']): string | null {
  const to = target === '' ? '' : resolve(target)?.href
  if (to === undefined || (target === '' && heading === '')) return null
  if (heading === '') return to
  const place = heading.startsWith('^') ? blockId(heading.slice(1)) : headingId(heading)
  return `${to}#${encodeURIComponent(place)}`
}

/** A wikilink as HTML. */
export function wikilinkHtml(
  { target, heading, label, isEmbed }: Wikilink,
  { resolve }: Pick<RenderOptions, 'resolve'>,
): string {
  if (isEmbed && IMAGE_FILE.test(target)) {
    const [, width] = /^(\d{1,4})(?:x\d+)?$/.exec(label) ?? []
    const description = width === undefined ? label : target
    return shownImage({ source: target, description, width }, resolve) ?? picture(description)
  }
  const href = innerHref(target, heading, resolve)
  const text = escapeHtml(label)
  if (href === null) return `<span class="dead">${text}</span>`
  return `<a${isEmbed ? ' class="embed"' : ''} href="${escapeHtml(href)}">${text}</a>`
}

/** A picture of the Safe, otherwise its description, with a link if it is on the web. Nothing is loaded from the web. */
export function imageHtml(token: Token, { resolve }: Pick<RenderOptions, 'resolve'>): string {
  const source = String(token.attrGet('src') ?? '')
  const text = token.content || nameOf(source)
  const shown = shownImage({ source, description: text }, resolve, Boolean(token.meta?.isLinked))
  if (shown !== null) return shown
  const description = picture(text)
  const address = webAddress(source)
  if (!address || !/^https?:/i.test(address) || token.meta?.isLinked) return description
  return webLink(address, description)
}

/** A picture of the Safe with a link to its full size, or null. */
export function shownImage(
  { source, description, width }: ImageTag,
  resolve: RenderOptions['resolve'],
  isLinked = false,
): string | null {
  const target = imageTarget(source)
  const found = target === '' ? null : resolve(target)
  if (!found?.isImage) return null
  const href = escapeHtml(found.href)
  const size = width === undefined ? '' : ` width="${width}"`
  const image = `<img src="${href}" alt="${escapeHtml(description.trim())}" loading="lazy"${size}>`
  return isLinked ? image : `<a class="embed" href="${href}">${image}</a>`
}

const nameOf = (source: string) => source.split(/[?#]/)[0]?.split('/').at(-1) || 'image'

/** Output of a program, which is unknown: `{{ name }}`, `{% for … %}`. */
const PROGRAM = /\{\{[^{}]{1,300}\}\}|\{%[^{}%]{1,300}%\}/g

/** A text as HTML. */
export const programsAsCode = (text: string): string =>
  escapeHtml(text).replace(PROGRAM, '<code class="program">$&</code>')

/** The description of a picture that is not loaded. */
export const picture = (description: string): string =>
  description.trim() === '' ? '' : `<span class="image">${programsAsCode(description.trim())}</span>`
