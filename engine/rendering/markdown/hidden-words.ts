import { escapeHtml } from '../../../platform/common/escape-html.js'

/** The words of what is written for programs, without marks; empty if there are none. */
export function hiddenWords(text: string): string {
  const words = text.replace(/[^\p{L}\p{N}\p{M}\s"'=._#-]/gu, ' ').trim()
  return /[\p{L}\p{N}]/u.test(words) ? words : ''
}

/** They are in the page, because every word of a document is, but not seen. */
export const hiddenHtml = (words: string): string =>
  words === '' ? '' : `<span hidden>${escapeHtml(` ${words} `)}</span>`
