// npm run bench -- reading — time, processor time and memory of reading files: a note, a PDF, 30 MB (`reading hostile`: hostile.ts). All of
// it is counted for the process and its children together, as Linux counts it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { pdf } from '../../test/pdf.js'
import { createSmallSafe } from '../small-safe.js'

// As built: what runs TypeScript directly adds to the cost of every function.
const built = (file: string) => import(new URL(`../../dist/${file}.js`, import.meta.url).href)
const { buildApp }: typeof import('../../app.js') = await built('app')
const { loadConfig }: typeof import('../../plugins/config.js') = await built('plugins/config')

const TICKS_PER_SECOND = 100
const WATCH_MS = 5
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-reading-'))
const app = await buildApp({
  config: loadConfig({ DATA_DIR: folder, BASE_URL: 'http://127.0.0.1:1', LOG_LEVEL: 'fatal' }),
  logger: false,
})
try {
  await app.ready()
  const { id: safeId } = await createSmallSafe(app)
  let number = 0
  const read = (format: string, bytes: Buffer) =>
    app.safes.imports
      .add('ann', safeId, { source: `${++number}.${format}`, bytes: inChunks(bytes), commit: true })
      .then(({ status, problem }) => `${status}${problem ? `: ${problem}` : ''}`)
  await ordinary(read)
} finally {
  await app.close()
  rmSync(folder, { recursive: true })
}

async function ordinary(read: (format: string, bytes: Buffer) => Promise<string>): Promise<void> {
  // Nothing is left to read or to merge in the background.
  await pause(1_000)
  await measure('a note, the first one', 1, () => read('md', note()))
  await measure('a note', 20, () => read('md', note()))
  await pause(15_000)
  await measure('a note after 15 s', 1, () => read('md', note()))
  await measure('a PDF of 200 pages', 3, () => read('pdf', report(200)))
  await measure('JSONL of 30 MB', 1, () => read('jsonl', memories(30_000_000)))
}

/** Prints the mean time of `work`, what it costs, and the most memory during it. */
async function measure(name: string, times: number, work: () => Promise<string>): Promise<void> {
  const [before, began] = [processorMs(), performance.now()]
  const peak = { resident: 0, own: 0 }
  const watching = setInterval(() => {
    const now = memory()
    peak.resident = Math.max(peak.resident, now.resident)
    peak.own = Math.max(peak.own, now.own)
  }, WATCH_MS)
  let outcome = ''
  for (let time = 0; time < times; time++) outcome = await work()
  clearInterval(watching)
  const ms = (total: number) => `${(total / times).toFixed(1)} ms`
  console.log(
    `${name}: ${ms(performance.now() - began)}, processor ${ms(processorMs() - before)}, ` +
      `memory ${peak.resident.toFixed(0)} MB (${peak.own.toFixed(0)} without files shared by processes); ${outcome}`,
  )
}

function children(): number[] {
  return readdirSync('/proc/self/task').flatMap(task =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

/** Of this process, and of its children, also those that have ended. */
function processorMs(): number {
  const ticksOf = (id: number | 'self', ended: boolean) => {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    return fields.slice(11, ended ? 15 : 13).reduce((sum, ticks) => sum + ticks, 0)
  }
  const ticks = ticksOf('self', true) + children().reduce((sum, id) => sum + ticksOf(id, false), 0)
  return (ticks * 1000) / TICKS_PER_SECOND
}

function memory(): { resident: number; own: number } {
  const sum = { resident: 0, own: 0 }
  for (const id of ['self', ...children()]) {
    try {
      const status = readFileSync(`/proc/${id}/status`, 'utf8')
      const of = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1000
      sum.resident += of('VmRSS')
      sum.own += of('RssAnon')
    } catch {
      // A child that has ended.
    }
  }
  return sum
}

function inChunks(bytes: Buffer): Readable {
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
    bytes.subarray(at * 65_536, (at + 1) * 65_536),
  )
  return Readable.from(chunks)
}

function sentence(seed: number): string {
  return `Person ${seed} met [[Person ${seed + 1}]] in room ${seed % 97} to discuss the harbour, the lamp and the budget.`
}

function note(): Buffer {
  const seed = Math.round(performance.now() * 1_000)
  return Buffer.from(Array.from({ length: 20 }, (_, i) => sentence(seed + i)).join('\n\n'))
}

function memories(bytes: number): Buffer {
  const lines: string[] = []
  for (let length = 0, seed = 0; length < bytes; seed++) {
    const observations = Array.from({ length: 3 }, (_, i) => sentence(seed + i))
    const line = JSON.stringify({
      type: 'entity',
      name: `Person ${seed}`,
      entityType: 'person',
      observations,
    })
    length += line.length + 1
    lines.push(line)
  }
  return Buffer.from(lines.join('\n'))
}

function report(pages: number): Buffer {
  const seed = Math.round(performance.now())
  const text = (page: number) =>
    Array.from(
      { length: 40 },
      (_, line) => `1 0 0 1 50 ${750 - 15 * line} Tm (${sentence(seed + page * 40 + line).slice(0, 80)}) Tj`,
    )
  const kids = Array.from({ length: pages }, (_, page) => `${4 + 2 * page} 0 R`)
  return pdf([
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Kids [${kids.join(' ')}] /Count ${pages}>>`,
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
    ...Array.from({ length: pages }, (_, page) => [
      `<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + 2 * page} 0 R /Resources <</Font <</F 3 0 R>>>>>>`,
      ['', Buffer.from(`BT /F 9 Tf ${text(page).join('\n')} ET`)] as [string, Buffer],
    ]).flat(),
  ])
}
