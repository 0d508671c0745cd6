import { counted, showDay } from '../../platform/common/format.js'

/** For a proposal. */
type Proposed = { assistant: string; statements: readonly unknown[]; texts: readonly unknown[] }

/** The texts of proposals. */
export const proposalsTexts = {
  heading: 'Proposals',
  lead: 'Assistants propose to add this to the Safe. Answers do not use it before you accept it. Proposals expire after 30 days.',
  none: 'There are no proposals to review.',
  title: ({ assistant, statements, texts }: Proposed) => {
    const facts = counted('statement', 'statements')(statements.length)
    const writing = counted('text', 'texts')(texts.length)
    return `${assistant} proposes ${texts.length === 0 ? facts : statements.length === 0 ? writing : `${facts} and ${writing}`}`
  },
  changes: {
    note: () => 'New note:',
    append: () => 'Add to the end of',
    under_heading: (heading: string) => `Add below “${heading}” in`,
    replace: () => 'Replace a passage in',
    set_property: (name: string) => `Set the property “${name}” of`,
  },
  newText: 'Edit the text',
  write: 'Write this',
  newer:
    'The document has changed since this was proposed. This is the newer text with the proposal applied.',
  difference: 'Difference',
  tooDifferent: 'The texts differ too much to show each difference.',
  from: (email: string, time: string) => `Connected by ${email} · ${time}`,
  /** The name of the import, which answers show as the source. */
  source: (assistant: string, at: number) => `suggested by ${assistant}, ${showDay(at)}`,
  said: 'The assistant’s explanation. Nobody has checked it.',
  sourceLabel: 'Source:',
  statement: (number: number) => `Statement ${number}`,
  keep: 'Add this:',
  editStatement: 'Edit',
  subject: 'Subject',
  predicate: 'Relation',
  object: 'Object',
  same: 'This is already in the Safe.',
  passage: 'The object is too long for a name. It is added as a passage about the subject.',
  known: (names: string, hasMore: boolean) => `Currently in the Safe: ${names}${hasMore ? ', …' : ''}`,
  accept: 'Add what is selected',
  reject: 'Reject',
  rejectPerson: (email: string) => `Reject all of ${email}`,
  rejectAlways: 'Always reject from this connection',
  later: 'Decide later',
  rejected: 'Always rejected',
  allowAgain: 'Allow proposals again',
  waiting: (count: number, hasMore: boolean) =>
    `${hasMore ? 'More than ' : ''}${counted('proposal waits', 'proposals wait')(count)} for your review`,
}
