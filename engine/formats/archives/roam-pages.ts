import type { Parsed } from '../../graph/index.js'
import { FrontMatter } from '../notes/front-matter.js'
import { Note } from '../notes/note.js'
import { partsOf } from '../notes/text.js'
import { knownTime, listOf, membersOf, textOf } from '../shared/conversation.js'
import type { SourceFile } from '../shared/format.js'
import type { PartTitles } from './part-titles.js'
import { roamText } from './roam-text.js'

/** Blocks that references in later pages can show, and characters of each. */
const MOST_BLOCKS = 50_000
const LONGEST_BLOCK = 300
/** Levels of blocks that are shown as such. */
const DEEPEST = 20

/** Turns the pages of Roam into notes: an outline of bullets. */
export class RoamPages {
  readonly #file: SourceFile
  readonly #titles: PartTitles
  readonly #blocks = new Map<string, string>()

  constructor(file: SourceFile, titles: PartTitles) {
    this.#file = file
    this.#titles = titles
  }

  read(line: number, page: Record<string, unknown>): Parsed[] {
    const title = this.#titles.next(textOf(page.title))
    const { document } = this.#file
    document?.begin(title)
    const time = knownTime(Number(page['create-time']))
    // A slash in a title is not a folder, but part of its name.
    const path = `${title.replaceAll('/', '___')}.md`
    const note = new Note({ path, ...(document ? { document } : {}) }, new FrontMatter())
    let at = 0
    const add = (text: string) => {
      document?.write(`${text}\n`)
      at++
      for (const part of text === '' ? [''] : partsOf(text)) note.read(at, part)
    }
    for (const text of this.#outline(page, 0)) add(text)
    if (time !== undefined) note.assumeTime(time)
    note.end()
    document?.about({ title })
    // The line of the document is in the passages; in the file it is the page's.
    return note.take().map(parsed => ('record' in parsed ? parsed : { ...parsed, line }))
  }

  *#outline(block: Record<string, unknown>, depth: number): Generator<string> {
    for (const child of listOf(block.children).map(membersOf)) {
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
