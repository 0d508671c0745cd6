import type { Parsed } from '../../graph/index.js'
import { RewrittenNote } from '../notes/rewritten-note.js'
import { knownTime, listOf, objectsOf, parsedMembers, textOf } from '../shared/conversation.js'
import type { SourceFile } from '../shared/format.js'
import { PartTitles } from './part-titles.js'
import { roamText } from './roam-text.js'

/** Blocks that references in later pages can show, and characters of each. */
const MOST_BLOCKS = 50_000
const LONGEST_BLOCK = 300
/** Levels of blocks that are shown as such. */
const DEEPEST = 20

/** Turns the pages of Roam into notes: an outline of bullets. */
export class RoamPages {
  readonly #document: SourceFile['document']
  readonly #titles = new PartTitles()
  readonly #blocks = new Map<string, string>()

  constructor(file: SourceFile | undefined) {
    this.#document = file?.document
  }

  read({ line, text }: { line: number; text: string }): Parsed[] {
    const page = parsedMembers(text)
    if (!page) return [{ line, problem: 'This page is not JSON.' }]
    if (textOf(page.title).trim() === '' && listOf(page.children).length === 0) return []
    const title = this.#titles.next(textOf(page.title))
    const document = this.#document
    document?.begin(title)
    // A slash in a title is not a folder, but part of its name.
    const path = `${title.replaceAll('/', '___')}.md`
    const note = new RewrittenNote({ path, ...(document ? { document } : {}) }, () => '')
    for (const line of this.#outline(page, 0)) note.write(line)
    const parsed = [...note.end(knownTime(Number(page['create-time'])))].flat()
    document?.about({ title })
    // The line of the document is in the passages; in the file it is the page's.
    return parsed.map(each => ('record' in each ? each : { ...each, line }))
  }

  end(): Parsed[] {
    return []
  }

  *#outline(block: Record<string, unknown>, depth: number): Generator<string> {
    for (const child of objectsOf(block.children)) {
      const [first = '', ...more] = roamText(textOf(child.string), this.#blocks).split('\n')
      const indent = '  '.repeat(Math.min(depth, DEEPEST))
      this.#remember(textOf(child.uid), first)
      yield `${indent}- ${first}`
      for (const line of more) yield `${indent}  ${line}`
      yield* this.#outline(child, depth + 1)
    }
  }

  #remember(uid: string, text: string): void {
    if (uid !== '' && this.#blocks.size < MOST_BLOCKS) this.#blocks.set(uid, text.slice(0, LONGEST_BLOCK))
  }
}
