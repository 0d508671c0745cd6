import { inSteps } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import type { Language } from '../text/languages/language.js'
import { termReader } from '../text/languages/stems.js'
import type { TextIndex } from './bm25.js'
import { TextIndexBuilder } from './text-index-builder.js'

/** An index over short texts by their stems in all of the Safe's languages. */
export async function textIndexOf(
  languages: readonly Language[],
  count: number,
  textAt: (number: number) => string,
  pause: Pause,
): Promise<TextIndex> {
  const builder = new TextIndexBuilder()
  const termsOf = termReader(languages)
  await inSteps(count, pause, at => {
    for (const stems of termsOf(textAt(at))) builder.addStems(stems)
    builder.end()
  })
  return builder.build(pause)
}
