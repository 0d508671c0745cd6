import { BUDGETS } from './budgets.js'
import type { Measured } from './rounds.js'

export const median = (figures: number[]) => [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0

/** Rows of Markdown: each subject beside the reference and the rival of its work. */
export function rows(measured: Measured[]): string[] {
  return measured.map(subject => {
    const sameWork = measured.filter(({ work }) => work === '' || work === subject.work)
    const reference = subject.work === '' ? undefined : sameWork.find(({ role }) => role === 'reference')
    const rival = subject.role ? undefined : sameWork.find(({ role }) => role === 'rival')
    const { reference: ofReference, rival: ofRival, cpu } = BUDGETS[subject.name] ?? {}
    const cpuUs = Math.round(median(subject.cpu))
    const cells = [
      Math.round(median(subject.rates)),
      atLeast(beside(subject, reference, 'rates'), ofReference),
      atLeast(beside(subject, rival, 'rates'), ofRival),
      cpu === undefined ? cpuUs : withBudget(`${cpuUs}`, cpu, cpuUs <= cpu),
      beside(subject, reference, 'cpu'),
      beside(subject, rival, 'cpu'),
    ]
    const name = subject.refused > 0 ? `${subject.name} (${subject.refused} refused)` : subject.name
    return `| ${[name, ...cells].join(' | ')} |`
  })
}

const atLeast = (ratio: string, budget: number | undefined) =>
  budget === undefined || ratio === '' ? ratio : withBudget(ratio, budget, Number(ratio) >= budget)

/** A figure and its budget; bold where it is missed. */
const withBudget = (figure: string, budget: number, isMet: boolean) =>
  `${isMet ? figure : `**${figure}**`} (${budget})`

/** How many times as good: as fast, or as cheap. */
function beside(subject: Measured, other: Measured | undefined, what: 'rates' | 'cpu'): string {
  if (!other) return ''
  const [mine, its] = [median(subject[what]), median(other[what])]
  const ratio = what === 'rates' ? mine / its : its / mine
  return ratio.toFixed(ratio < 10 ? 2 : 0)
}

export const HEAD = [
  '| | per second (budgets in brackets) | × reference | × rival | CPU µs each | × reference | × rival |',
  '|---|---:|---:|---:|---:|---:|---:|',
]
