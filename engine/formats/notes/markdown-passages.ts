import type { Fence } from './note-blocks.js'
import { type NotePassage, NotePassages } from './note-passages.js'
import { linePartsOf } from './text.js'

const FENCE = /^(\s{0,20})(`{3,}|~{3,})/

/** Splits a text in Markdown into passages: one if it is short, otherwise at paragraphs, with code reopened. */
export class MarkdownPassages {
  readonly #found: NotePassage[] = []
  readonly #passages = new NotePassages(passage => this.#found.push(passage))
  /** The block of code that is open. */
  #open: Fence | null = null

  split(text: string): string[] {
    for (const line of text.split('\n')) this.#read(line.trimEnd())
    this.#passages.endSection()
    return this.#found.map(({ text }) => text).filter(text => text.trim() !== '')
  }

  #read(line: string): void {
    const wasOpen = this.#open !== null
    this.#noteFence(line)
    const isCode = wasOpen || this.#open !== null
    for (const part of linePartsOf(line)) {
      if (isCode) this.#passages.addCode(0, part, this.#open)
      else this.#passages.add(0, part)
    }
  }

  #noteFence(line: string): void {
    const [, indent, marks] = FENCE.exec(line) ?? []
    if (marks === undefined) return
    if (this.#open === null) this.#open = { open: line, close: `${indent}${marks}` }
    else if (line.trim() === this.#open.close.trim()) this.#open = null
  }
}
