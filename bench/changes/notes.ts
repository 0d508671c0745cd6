import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SYLLABLES =
  'ba be bi da de do fa fi ga go ka ke la le lo ma me na no pa po ra ri sa so ta te va vo'.split(' ')
const FUNCTION_WORDS = 'the of and to in is that it for was with as be on by'.split(' ')
const CHARACTERS = 3_000

/** The title of a generated note, two capitalised words. */
export function titleOf(note: number): string {
  return [wordOf(note * 7), wordOf(note * 13 + 5)]
    .map(word => (word[0] ?? '').toUpperCase() + word.slice(1))
    .join(' ')
}

/** 3 kB of words as frequent as those of a language, with names of other notes of `notes`. */
export function noteText(random: () => number, notes: number): string {
  let text = ''
  while (text.length < CHARACTERS) {
    if (random() < 0.01) text += `${titleOf(Math.floor(random() * notes))} `
    else if (random() < 0.4) text += `${FUNCTION_WORDS[Math.floor(random() * FUNCTION_WORDS.length)]} `
    else text += `${wordOf(Math.floor(30_000 * random() ** 3))} `
  }
  return text
}

function wordOf(number: number): string {
  let [word, left] = ['', number + SYLLABLES.length]
  for (; left > 0; left = Math.floor(left / SYLLABLES.length)) word += SYLLABLES[left % SYLLABLES.length]
  return word
}

/** Files in one folder. */
const IN_FOLDER = 500

/** The path of a note below its vault. */
export const pathOf = (note: number): string =>
  join(`part ${Math.floor(note / IN_FOLDER)}`, `${titleOf(note)} ${note}.md`)

/** Writes the notes `from` … `to` - 1 below a folder. */
export function writeNotes(folder: string, [from, to]: [number, number], random: () => number): void {
  for (let note = from; note < to; note++) {
    if ((note - from) % IN_FOLDER === 0 || note % IN_FOLDER === 0)
      mkdirSync(join(folder, `part ${Math.floor(note / IN_FOLDER)}`), { recursive: true })
    writeFileSync(join(folder, pathOf(note)), noteText(random, to))
  }
}
