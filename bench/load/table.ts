import type { Measured } from './rounds.js'

export const median = (figures: number[]) => [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0

/** Rows of Markdown: each subject beside the reference and the rival of its work. */
export function rows(measured: Measured[]): string[] {
  return measured.map(subject => {
    const sameWork = measured.filter(({ work }) => work === '' || work === subject.work)
    const reference = subject.work === '' ? undefined : sameWork.find(({ role }) => role === 'reference')
    const rival = subject.role ? undefined : sameWork.find(({ role }) => role === 'rival')
    const cells = (['rates', 'cpu'] as const).flatMap(what => [
      Math.round(median(subject[what])),
      beside(subject, reference, what),
      beside(subject, rival, what),
    ])
    const name = subject.refused > 0 ? `${subject.name} (${subject.refused} refused)` : subject.name
    return `| ${[name, ...cells].join(' | ')} |`
  })
}

/** How many times as good: as fast, or as cheap. */
function beside(subject: Measured, other: Measured | undefined, what: 'rates' | 'cpu'): string {
  if (!other) return ''
  const [mine, its] = [median(subject[what]), median(other[what])]
  const ratio = what === 'rates' ? mine / its : its / mine
  return ratio.toFixed(ratio < 10 ? 2 : 0)
}

export const HEAD = [
  '| | per second | × reference | × rival | CPU µs each | × reference | × rival |',
  '|---|---:|---:|---:|---:|---:|---:|',
]
