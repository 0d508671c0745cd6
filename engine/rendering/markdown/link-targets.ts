import type { Token } from 'markdown-it'
import { innerTarget } from '../web-address.js'
import { type BlockReference, blockTarget } from './block-references.js'
import { imageTarget } from './links.js'
import { hrefsIn, imageTags } from './raw-html.js'
import type { Wikilink } from './wikilinks.js'

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
