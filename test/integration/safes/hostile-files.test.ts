import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { deflateSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { build } from '../../helper.js'
import { pdfPage } from '../../pdf.js'
import { zip } from '../../zip.js'

const MIB = 1_048_576

/** The service with an account and its Safe; `read` returns the outcome of a file. */
async function openService(t: Test) {
  const app = await build(t)
  const row = { id: 'ann', email: 'ann@example.com', password_hash: '', role: 'member' as const }
  await app.database.write(trx =>
    trx
      .insertInto('accounts')
      .values({ ...row, session_epoch: 0, created_at: 0 })
      .execute(),
  )
  const safe = await app.safes.create('ann', 'Ann')
  const read = async (source: string, content: Buffer | string) => {
    const bytes = Readable.from([Buffer.from(content)])
    const item = await app.safes.imports.add('ann', safe.id, { source, bytes, commit: true })
    return { status: item.status, problem: item.badLines[0]?.problem ?? item.problem }
  }
  return { app, read }
}

/** One conversation with this content. */
const conversation = (more: string) => `[{"uuid": "1", "chat_messages": [], "more": ${more}}]`
const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))

t.test(
  'files of some kilobytes that unpack to millions of objects are refused, and nothing else stops',
  async t => {
    const { app, read } = await openService(t)
    // Incompressible content, so that the archive is not refused for its unpacked size.
    const padding = randomBytes(135_000).toString('base64')
    const lists = conversation(`["${padding}",${repeated('[],', 31 * MIB)}[]]`)
    const archive = zip([{ name: 'conversations.json', content: lists }])
    const members = `{${Array.from({ length: 1_000_000 }, (_, i) => `"${i}":0`).join(',')}}`
    const numbers = deflateSync(Buffer.from(`BT /F 9 Tf [${repeated('1.5 ', 60 * MIB)}] TJ ET`))
    const values = { status: 'failed', problem: 'This item has more than 200,000 values.' }
    t.match(await read('export.zip', archive), values, `${archive.length} bytes`)
    t.match(await read('conversations.json', conversation(members)), values)
    const page = pdfPage(['/Filter /FlateDecode', numbers])
    t.match(await read('numbers.pdf', page), { status: 'failed', problem: /8 MiB/ }, `${page.length} bytes`)
    t.match(await read('note.md', 'Ada met [[Bob]].'), { status: 'committed' })
    t.equal((await app.inject('/healthz')).statusCode, 200)
  },
)
