import { createHash } from 'node:crypto'

/** A text on one line, with single spaces. */
export const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The same without NUL characters and shortened, for names and titles from untrusted sources. */
export const flatName = (text: string): string => flat(text.replaceAll('\0', '')).slice(0, 300)

/** 32 hexadecimal digits of a text's hash. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
