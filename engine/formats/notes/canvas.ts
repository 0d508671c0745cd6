import { baseName } from '../shared/file-name.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { objectsOf, parsedMembers, textOf } from '../shared/json.js'
import { wholeOf } from '../shared/whole-file.js'
import { RewrittenNote } from './rewritten-note.js'

const MAX_MIB = 8
const MAX_CARDS = 5_000

/** A canvas of Obsidian (JSON Canvas 1.0): its cards from top to bottom, the notes on it, and the labels of its arrows. */
export const canvas: Format = {
  id: 'canvas',
  title: 'Canvas (Obsidian, JSON Canvas)',
  extensions: ['canvas'],
  isRewritten: true,
  async *parse(bytes, file = { path: 'note.canvas' }) {
    const whole = (await wholeOf(bytes, 'canvas', MAX_MIB)).toString('utf8')
    const members = parsedMembers(whole.trim() || '{}')
    if (!members) throw new UnreadableFile('This canvas is damaged. Open it in Obsidian and save it again.')
    const cards = objectsOf(members.nodes).slice(0, MAX_CARDS)
    cards.sort((one, other) => Number(one.y) - Number(other.y) || Number(one.x) - Number(other.x))
    const names = new Map(cards.map(card => [textOf(card.id), nameOf(card)]))
    const arrows = objectsOf(members.edges)
      .slice(0, MAX_CARDS)
      .filter(({ label }) => textOf(label) !== '')
      .map(({ fromNode, toNode, label }) => {
        const [from, to] = [fromNode, toNode].map(id => names.get(textOf(id)) ?? '')
        return `- ${from} → ${to}: ${textOf(label)}`
      })
    const lines = [...cards.flatMap(card => [wordsOf(card), '']), ...arrows]
    const note = new RewrittenNote(file, () => baseName(file.path))
    for (const line of lines.join('\n').split('\n')) {
      note.write(line)
      yield* note.take()
    }
    yield* note.end()
  },
}

function wordsOf({ type, text, file, url, label, subpath }: Record<string, unknown>): string {
  if (type === 'file') return `[[${textOf(file)}${textOf(subpath)}]]`
  if (type === 'link') return `<${textOf(url)}>`
  return type === 'group' ? `## ${textOf(label) || 'Group'}` : textOf(text)
}

function nameOf(card: Record<string, unknown>): string {
  if (card.type === 'file') return `[[${textOf(card.file)}]]`
  const [first = ''] = wordsOf(card).replace(/^#+ /, '').split('\n')
  return first.slice(0, 80).toWellFormed()
}
