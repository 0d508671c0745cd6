import type { FileResult } from './process.js'

const SLOWEST = 10

/** Prints one line per file when it ends, its failures, and a summary. */
export class Report {
  readonly #results: FileResult[] = []
  readonly #print: (text: string) => void
  #files = 0

  constructor(print: (text: string) => void) {
    this.#print = print
  }

  /** Announces that this many more files follow. */
  expect(files: number): void {
    this.#files += files
  }

  section(title: string): void {
    this.#print(`\n${title}\n`)
  }

  add(result: FileResult): void {
    this.#results.push(result)
    const { file, passed, failed, skipped, ms, output } = result
    const done = `${String(this.#results.length).padStart(String(this.#files).length)}/${this.#files}`
    const outcome = failed > 0 ? `${failed} FAILED, ${passed} passed` : `${passed} passed`
    this.#print(`${done} ${seconds(ms)} ${file}: ${outcome}\n`)
    for (const title of skipped) this.#print(`  skipped: ${title}\n`)
    if (failed > 0) this.#print(`${failures(output)}\n`)
  }

  get failed(): number {
    return this.#sum(({ failed }) => failed)
  }

  /** The slowest files, the failed ones, and the line of counts. */
  summary(): string {
    const lines = ['', `The slowest ${SLOWEST} files:`]
    const slowest = this.#results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
    lines.push(...slowest.map(({ file, ms }) => `  ${seconds(ms)} ${file}`), '')
    const red = this.#results.filter(({ failed }) => failed > 0)
    if (red.length > 0) lines.push('Failed:', ...red.map(({ file }) => `  ${file}`), '')
    const skipped = this.#sum(result => result.skipped.length)
    const counts = `${this.#sum(({ passed }) => passed)} passed, ${this.failed} failed`
    lines.push(skipped > 0 ? `${counts}, ${skipped} skipped` : counts, '')
    return lines.join('\n')
  }

  #sum(count: (result: FileResult) => number): number {
    return this.#results.reduce((sum, result) => sum + count(result), 0)
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`

/** The failed assertions of TAP output with the expected values, or the end of the output if there are none. */
export function failures(output: string): string {
  const lines = output.split('\n')
  const kept = new Set<number>()
  lines.forEach((line, at) => {
    if (!/^\s*not ok/.test(line)) return
    kept.add(at)
    if (!/^\s*---/.test(lines[at + 1] ?? '')) return
    for (let next = at + 1; next < lines.length; next++) {
      kept.add(next)
      if (/^\s*\.\.\.$/.test(lines[next] ?? '')) return
    }
  })
  const found = lines.filter((_, at) => kept.has(at))
  return (found.length > 0 ? found : lines.slice(-40)).join('\n')
}
