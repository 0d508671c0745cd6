import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../../platform/common/package.js'

/** Questions about the notes of a public repository: those below `folder`, or below `only` in it. */
export interface VaultSet {
  vault: string
  /** `look`: may be read during work on the engine. `measure`: only its figures may. */
  half: 'look' | 'measure'
  repository: string
  commit: string
  folder: string
  only?: string[]
  questions: VaultQuestion[]
}

export interface VaultQuestion {
  question: string
  /** The kind of thing it asks for (a quantity, a person), or how it is written (with a typing error). */
  kind: string
  /** A regular expression for the right sentence, and the documents that contain it. Without one, there is no answer. */
  answer?: string
  documents?: string[]
  /** Additional arguments of an assistant. */
  other_words?: string[]
}

/** A document and its path below the folder of the notes. */
export type Note = Record<'path' | 'text', string>

/** The sets next to this file whose notes have been fetched (fetch.mjs). */
export function readVaultSets(): VaultSet[] {
  execFileSync('node', [join(rootDir, 'bench/leads/fetch.mjs')], { stdio: 'inherit' })
  const folder = join(rootDir, 'bench/leads/sets')
  return readdirSync(folder).map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')))
}

/** The notes of a fetched vault. */
export function notesOf({ vault, commit, folder }: VaultSet): Note[] {
  const top = join(rootDir, 'node_modules/.cache/svc-bench-vaults', `${vault}-${commit}`, folder)
  const paths = readdirSync(top, { recursive: true, encoding: 'utf8' }).filter(path => /\.mdx?$/.test(path))
  return paths.sort().map(path => ({ path, text: readFileSync(join(top, path), 'utf8') }))
}
