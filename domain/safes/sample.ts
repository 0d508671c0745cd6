import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { rootDir } from '../../platform/common/package.js'
import type { ImportOptions } from './safe.js'

export const SAMPLE_NAME = 'Lighthouse cooperative'

export const SAMPLE_SOURCE = 'Lighthouse library'

const FOLDER = join(rootDir, 'domain', 'safes', 'sample')

/** The library shipped with the service (`domain/safes/sample/library/`), ready to import. */
export function openSample(): Pick<ImportOptions, 'source' | 'files'> {
  const folder = join(FOLDER, 'library')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => /\.\w+$/.test(path))
  const open = (path: string) => async () => createReadStream(join(folder, path))
  const files = paths.sort().map(path => ({ path: path.replaceAll(sep, '/'), open: open(path) }))
  // Beside notes, a chat is only read in an export.
  return { source: SAMPLE_SOURCE, files: { files, problems: [], isExport: true } }
}

/** Good questions to the sample. */
export const sampleQuestions = (): string[] =>
  (JSON.parse(readFileSync(join(FOLDER, 'questions.json'), 'utf8')) as { question: string }[]).map(
    ({ question }) => question,
  )
