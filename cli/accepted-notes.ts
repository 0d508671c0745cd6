import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isHidden, isMarkdown } from '../domain/safes/imports/import-files.js'
import type { NoteForFolder } from '../domain/safes/notes/notes.js'

/** What happened to the accepted notes and edits of a folder, as paths. */
interface Accepted {
  written: string[]
  /** Files changed here since the last run, which are left unchanged. */
  conflicts: string[]
}

/** Writes notes and accepted edits into a folder, never over a file that has changed since its last run. */
export async function writeAccepted(root: string, notes: AsyncIterable<NoteForFolder>): Promise<Accepted> {
  const accepted: Accepted = { written: [], conflicts: [] }
  for await (const note of notes) {
    const outcome = (await isInside(root, note)) ? await write(join(root, note.path), note) : 'conflicts'
    if (outcome !== null) accepted[outcome].push(note.path)
  }
  return accepted
}

/** Whether a path is inside the folder: another machine has chosen it. */
async function isInside(root: string, { path, before }: NoteForFolder): Promise<boolean> {
  const parts = path.split('/')
  const isPlain = parts.every(part => !/^\.{0,2}$|[\\\0:]/.test(part))
  if (!isPlain || isHidden(path) || (before === null && !isMarkdown(path))) return false
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const folder = join(root, ...parts.slice(0, depth))
    const real = await realpath(folder).catch(() => null)
    if (real !== null) return real === folder
  }
  return true
}

/** Null: the file already has this text. */
async function write(file: string, { text, hash, before }: NoteForFolder): Promise<keyof Accepted | null> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.tmp`
  try {
    await writeFile(draft, text, { flag: 'wx' })
    const now = await hashOf(file)
    if (now === hash) return null
    if (now !== before) return 'conflicts'
    await rename(draft, file)
    return 'written'
  } finally {
    await rm(draft, { force: true })
  }
}

/** Null if there is no such file. */
async function hashOf(file: string): Promise<string | null> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('base64url')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
