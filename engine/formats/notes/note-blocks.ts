import { widthOf } from './note-headings.js'

/**
 * The lines that open and close a block of code, to close it at the end of one passage and reopen it in the
 * next.
 */
export interface Fence {
  open: string
  close: string
}

type Opened = Fence & {
  /** Whether a line ends the block. */
  isClosedBy(line: string): boolean
  /** Whether a line is outside the block although it was never closed. */
  isLeftBy(line: string): boolean
}

/** Maximum lines hidden when a hidden section is never closed. */
const MAX_HIDDEN = 200

const FENCE_LINE = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s{1,5})?)(`{3,}|~{3,})([^`~][^`]*)?$/
const ORG_BLOCK = /^(\s{0,100}(?:[-*+]\s{1,5})?)#\+begin_(src|example|query)\b/i
const ORG_LINE = /^\s{0,100}(?:[-*+]\s{1,5})?#\+end_\w{1,20}\s*$/i
const HIDDEN_START = /^\s{0,100}<(script|style)(?=[\s>])|^\s{0,100}:(logbook):\s*$/i
/** A line of a container (`:::`), an MDX module or a table of contents. */
const MACHINE_LINE =
  /^\s{0,20}:{3,20}\s*$|^import\s.{1,300}\sfrom\s{1,5}['"][^'"]{1,300}['"];?\s*$|^\s{0,9}\[toc\]\s*$/i
/** `[name]: address "title"` and nothing else. */
const DEFINITION = /^\s{0,8}\[[^[\]^]{1,200}\]:\s{1,5}<?[^<>\s]{1,1000}>?(?:\s{1,9}["'(].{0,300})?\s{0,9}$/

/** Separates code and invisible parts of a note from its text, line by line. */
export class NoteBlocks {
  #fence: Opened | null = null
  #hiddenUntil: string | null = null
  #hidden = 0

  /** The block of code that the last line belongs to. */
  get fence(): Fence | null {
    return this.#fence
  }

  read(line: string): 'text' | 'code' | 'definition' | 'hidden' {
    if (this.#fence?.isLeftBy(line)) this.#fence = null
    if (this.#fence) {
      if (this.#fence.isClosedBy(line)) this.#fence = null
      return 'code'
    }
    if (this.#hiddenUntil !== null) return this.#readHidden(line, this.#hiddenUntil)
    this.#fence = fenceOf(line) ?? orgBlockOf(line)
    if (this.#fence) return 'code'
    const [, element, drawer] = HIDDEN_START.exec(line) ?? []
    if (element === undefined && drawer === undefined) return kindOf(line)
    this.#hidden = 0
    return this.#readHidden(line, drawer === undefined ? `</${element?.toLowerCase()}` : ':end:')
  }

  #readHidden(line: string, until: string): 'hidden' {
    const ends = line.toLowerCase().includes(until) || ++this.#hidden >= MAX_HIDDEN
    this.#hiddenUntil = ends ? null : until
    return 'hidden'
  }
}

function kindOf(line: string): 'text' | 'definition' | 'hidden' {
  if (MACHINE_LINE.test(line) || ORG_LINE.test(line)) return 'hidden'
  return line.includes(']:') && DEFINITION.test(line) ? 'definition' : 'text'
}

function fenceOf(line: string): Opened | null {
  const [, before = '', marks, info = ''] = FENCE_LINE.exec(line) ?? []
  if (marks === undefined) return null
  const [width, isQuoted] = [widthOf(before), before.includes('>')]
  const indent = ' '.repeat(width)
  return {
    open: `${indent}${marks}${info}`,
    close: `${indent}${marks}`,
    isClosedBy: text => isClosing(text, marks),
    isLeftBy: text =>
      text.trim() !== '' && (isQuoted ? !text.trimStart().startsWith('>') : widthOf(text) < width),
  }
}

/** Whether the line consists of at least these marks. */
function isClosing(text: string, marks: string): boolean {
  const rest = text.replace(/^[\s>]{0,100}/, '').trimEnd()
  return rest.startsWith(marks) && rest === (marks[0] ?? '').repeat(rest.length)
}

function orgBlockOf(line: string): Opened | null {
  const [, before = '', kind = ''] = line.includes('#+') ? (ORG_BLOCK.exec(line) ?? []) : []
  if (kind === '') return null
  const indent = ' '.repeat(widthOf(before))
  const end = `#+end_${kind.toLowerCase()}`
  return {
    open: `${indent}#+begin_${kind.toLowerCase()}`,
    close: `${indent}${end}`,
    isClosedBy: text => text.trim().toLowerCase() === end,
    isLeftBy: text => text.trim() !== '' && widthOf(text) < indent.length,
  }
}
