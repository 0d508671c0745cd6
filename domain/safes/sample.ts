import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../../platform/common/package.js'
import type { ImportOptions } from './safe.js'

export const SAMPLE_NAME = 'Lighthouse cooperative'

/** The source of the sample's content. */
export const SAMPLE_SOURCE = 'lighthouse-cooperative.jsonl'

/** The graph shipped with the service (`domain/safes/sample/`), ready to import. */
export function openSample(): Pick<ImportOptions, 'source' | 'bytes'> {
  return {
    source: SAMPLE_SOURCE,
    bytes: createReadStream(join(rootDir, 'domain', 'safes', 'sample', SAMPLE_SOURCE)),
  }
}

let questions: string[] | undefined

/** Good questions to the sample. */
export function sampleQuestions(): string[] {
  if (!questions) {
    const all: { question: string }[] = JSON.parse(
      readFileSync(join(rootDir, 'domain', 'safes', 'sample', 'questions.json'), 'utf8'),
    )
    questions = all.map(({ question }) => question)
  }
  return questions
}
