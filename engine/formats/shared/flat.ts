import { createHash } from 'node:crypto'

/** A text on one line, with single spaces. */
export const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The same without NUL characters, cut: names and titles that strangers wrote. */
export const flatName = (text: string): string => flat(text.replaceAll('\0', '')).slice(0, 300)

/** 32 hexadecimal digits that identify a text. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
