import { Readable } from 'node:stream'
import t from 'tap'
import type { ImportOptions } from '../../../domain/safes/safe.js'
import { findFormat } from '../../../engine/formats/formats.js'
import { openSafes } from '../../integration/safes/open.js'
import { attacks, formatOf, hostileFile } from './hostile-files.js'

const FILES = 12_000
/** Files of one import: a folder, as the command line reads them. */
const TOGETHER = 1_000

t.test('no file of an account stops its thread or the process', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Hostile')
  const read = async (
    name: string,
    options: Pick<ImportOptions, 'source' | 'bytes' | 'files' | 'format'>,
  ) => {
    const done = await domain.imports.add('ann', safe.id, { ...options, skipBad: true, commit: false })
    if (done.status === 'staged') await domain.imports.undo('ann', safe.id, done.id)
    t.notMatch(done.problem ?? '', /took too|interrupted/, name)
  }
  for (const { format, text } of attacks)
    await read(`${format}: ${text.slice(0, 20)}…`, {
      source: 'hostile',
      format,
      bytes: Readable.from([Buffer.from(text)]),
    })
  const numbers = Array.from({ length: FILES }, (_, number) => number)
  for (const isNote of [true, false]) {
    const some = numbers.filter(number => (formatOf(number) === 'markdown') === isNote)
    for (let from = 0; from < some.length; from += TOGETHER)
      await read(`${TOGETHER} files from ${some[from]}`, folder(some.slice(from, from + TOGETHER)))
  }
})

/** Made one by one when each is opened, so that the time is not counted as the service's. */
function folder(numbers: readonly number[]): Pick<ImportOptions, 'source' | 'files'> {
  const files = numbers.map(number => ({
    path: `${number}.${findFormat(formatOf(number))?.extensions[0]}`,
    open: async () => Readable.from([Buffer.from(hostileFile(number).text as string)]),
  }))
  return { source: 'hostile', files: { files, problems: [] } }
}
