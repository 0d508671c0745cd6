import type { Measured } from './rounds.js'

export const median = (figures: number[]) => [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0

/** Rows of Markdown: each subject beside the reference of its part and beside the rival that does the same work. */
export function rows(measured: Measured[]): string[] {
  const reference = measured.find(({ role }) => role === 'reference')
  return measured.map(subject => {
    const rival = measured.find(
      other => other !== subject && other.role === 'rival' && other.work === subject.work,
    )
    const beside = (other: Measured | undefined, what: 'rates' | 'cpu') => {
      if (!other || (subject.role === 'rival' && other === rival)) return ''
      const [mine, its] = [median(subject[what]), median(other[what])]
      const ratio = what === 'rates' ? mine / its : its / mine
      return ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)
    }
    const cells = (['rates', 'cpu'] as const).flatMap(what => [
      Math.round(median(subject[what])),
      beside(reference, what),
      beside(rival, what),
    ])
    return `| ${[subject.name, ...cells].join(' | ')} |`
  })
}

export const HEAD = [
  '| | per second | × reference | × rival | CPU µs each | × reference | × rival |',
  '|---|---:|---:|---:|---:|---:|---:|',
]
