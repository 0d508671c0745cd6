import { readFileSync, writeFileSync } from 'node:fs'
import { percentile } from '../figures.js'
import type { Measured, Scores } from './scores.js'

const HEADS = [
  'set',
  'passages / questions',
  '@1 / @2 / @5 / @10',
  'MRR',
  'BM25',
  'MRR',
  'sent @10',
  'answer in the text',
  'p50 / p99 ms',
]

/** The figures as a table in Markdown. */
export function tableOf(all: readonly Measured[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(HEADS), `|---|${'---:|'.repeat(HEADS.length - 1)}`, ...all.flatMap(rowsOf).map(line)].join(
    '\n',
  )
}

function rowsOf(measured: Measured): string[][] {
  const { name, engine, bm25, otherWords, typos, milliseconds } = measured
  const more = (what: string, scores: Scores | null) =>
    scores === null ? [] : [[`${name}, ${what}`, '', recalls(scores), figure(scores.mrr), '', '', '', '', '']]
  return [
    [
      name,
      `${thousands(measured.passages)} / ${thousands(measured.questions)}`,
      recalls(engine),
      figure(engine.mrr),
      recalls(bm25),
      figure(bm25.mrr),
      figure(measured.sent.recall[10]),
      measured.answered === null ? '–' : figure(measured.answered),
      [0.5, 0.99].map(share => percentile(milliseconds, share).toFixed(2)).join(' / '),
    ],
    ...more('with other words', otherWords),
    ...more('a typo in every long name', typos),
  ]
}

const figure = (percent: number) => percent.toFixed(1)
const thousands = (count: number) => count.toLocaleString('en')
const recalls = ({ recall }: Scores) => [recall[1], recall[2], recall[5], recall[10]].map(figure).join(' / ')

/** Puts the table between the file's markers. */
export function writeTable(file: URL, table: string): void {
  const marks = /(<!-- bench:quality -->\n)[\s\S]*?(<!-- end -->)/
  const text = readFileSync(file, 'utf8')
  if (!marks.test(text)) throw new Error(`${file.pathname} has no marks for the table.`)
  writeFileSync(
    file,
    text.replace(marks, (_, start, end) => `${start}${table}\n${end}`),
  )
}
