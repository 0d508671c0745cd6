import { Readable } from 'node:stream'
import t from 'tap'
import { findFormat } from '../../../formats/readers/index.js'
import type { ImportOptions } from '../../../safes/safe.js'
import { openSafes } from '../../integration/safes/open.js'
import { watchTurns } from '../../watch-turns.js'
import { attacks, formatOf, nastyFile } from './nasty-files.js'

const FILES = 12_000
/** Files of one import: a folder, as the command line reads them. */
const TOGETHER = 1_000
/** Milliseconds that the main thread may work without a pause (issue: no file holds it for longer). */
const LONGEST = 20

t.test(
  `no file of an account holds the event loop for ${LONGEST} ms, and none stops the process`,
  async t => {
    const { domain } = await openSafes(t)
    const safe = await domain.create('ann', 'Nasty')
    const read = async (options: Pick<ImportOptions, 'source' | 'bytes' | 'files' | 'format'>) => {
      const done = await domain.import('ann', safe.id, { ...options, skipBad: true, commit: false })
      if (done.status === 'staged') await domain.undoImport('ann', safe.id, done.id)
      return done
    }
    for (const { format, text } of attacks.slice(0, 2)) await read(alone(format, text))
    const watch = watchTurns(LONGEST / 2)
    for (const { format, text } of attacks) {
      const done = await read(alone(format, text))
      t.notMatch(done.problem ?? '', /took too|interrupted/, `${format}: ${text.slice(0, 20)}…`)
    }
    const byAttacks = await watch.longest()
    t.ok(byAttacks < LONGEST, `attacks: ${byAttacks.toFixed(1)} ms`)
    const numbers = Array.from({ length: FILES }, (_, number) => number)
    for (const isNote of [true, false]) {
      const some = numbers.filter(number => (formatOf(number) === 'markdown') === isNote)
      for (let from = 0; from < some.length; from += TOGETHER) {
        const done = await read(folder(some.slice(from, from + TOGETHER)))
        t.notMatch(done.problem ?? '', /took too|interrupted/, `${TOGETHER} files from ${some[from]}`)
      }
    }
    const byGenerated = await watch.longest()
    t.ok(byGenerated < LONGEST, `generated files: ${byGenerated.toFixed(1)} ms`)
    watch.stop()
  },
)

const alone = (format: string, text: string) => ({
  source: 'nasty',
  format,
  bytes: Readable.from([Buffer.from(text)]),
})

/** Made one by one, when each is opened: that is no work of the service. */
function folder(numbers: readonly number[]): Pick<ImportOptions, 'source' | 'files'> {
  const files = numbers.map(number => ({
    path: `${number}.${findFormat(formatOf(number))?.extensions[0]}`,
    open: async () => Readable.from([Buffer.from(nastyFile(number).text as string)]),
  }))
  return { source: 'nasty', files: { files, problems: [] } }
}
