import { percentile, withBudget } from '../figures.js'
import type { Measured } from './rounds.js'

/** The goal of a subject: its rate relative to the reference and the rival, and its processor time in µs. */
interface Budget {
  reference?: number
  rival?: number
  cpu?: number
}

const BUDGETS: Record<string, Budget> = {
  'redis: ping': { reference: 0.55, rival: 5 },
  'redis: tools/list': { reference: 0.55, rival: 5 },
  'redis: tools/call': { rival: 5 },
  'redis: a question, 10 at once': { reference: 0.15, cpu: 350 },
  'redis: refresh rotation': { reference: 0.6, rival: 3.5 },
}

const median = (figures: number[]) => percentile(figures, 0.5)

/** Rows of Markdown: each subject next to the reference and the rival of its work. */
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

/** How many times as fast, or as cheap. */
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
