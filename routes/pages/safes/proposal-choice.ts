import type { AcceptedText, Statement } from '../../../domain/proposals/proposal.js'

/** The statements and texts of a proposal as its form sent them, and which of them are ticked. */
export interface ProposalChoice {
  statements: Statement[]
  ticked: Set<number>
  texts: AcceptedText[]
  written: Set<number>
}

/** The submitted form of a proposal: for each field, a value per statement or text. */
export function choiceOf(body: Record<string, unknown>): ProposalChoice {
  const list = (name: string) => [body[name] ?? []].flat() as string[]
  const [predicates, objects, versions] = [list('predicate'), list('object'), list('version')]
  return {
    statements: list('subject').map((subject, i) => {
      return { subject, predicate: predicates[i] ?? '', object: objects[i] ?? '' }
    }),
    ticked: new Set(list('keep').map(Number)),
    texts: list('text').map((text, number) => ({ number, text, version: versions[number] || null })),
    written: new Set(list('write').map(Number)),
  }
}

/** The parts of it to add. */
export const tickedOf = ({ statements, ticked, texts, written }: ProposalChoice) => ({
  statements: statements.filter((_statement, i) => ticked.has(i)),
  texts: texts.filter(({ number }) => written.has(number)),
})
