import { counted, showDay } from '../../platform/common/format.js'

/** The texts of proposals. */
export const proposalsTexts = {
  heading: 'Proposals',
  lead: 'Assistants propose to add this to the Safe. Answers do not use it before you accept it. Proposals expire after 30 days.',
  none: 'There are no proposals to review.',
  title: (assistant: string, count: number) =>
    `${assistant} proposes ${counted('statement', 'statements')(count)}`,
  from: (email: string, time: string) => `Connected by ${email} · ${time}`,
  /** The name of the import, which answers show as the source. */
  source: (assistant: string, at: number) => `suggested by ${assistant}, ${showDay(at)}`,
  said: 'The assistant’s explanation. Nobody has checked it.',
  sourceLabel: 'Source:',
  statement: (number: number) => `Statement ${number}`,
  keep: 'Add this',
  subject: 'Subject',
  predicate: 'Relation',
  object: 'Object',
  same: 'This is already in the Safe.',
  passage: 'The object is too long for a name. It is added as a passage about the subject.',
  known: (names: string, hasMore: boolean) => `Currently in the Safe: ${names}${hasMore ? ', …' : ''}`,
  accept: 'Add the selected statements',
  reject: 'Reject',
  rejectPerson: (email: string) => `Reject all of ${email}`,
  rejectAlways: 'Always reject from this connection',
  later: 'Decide later',
  rejected: 'Always rejected',
  allowAgain: 'Allow proposals again',
  waiting: (count: number, hasMore: boolean) =>
    `${hasMore ? 'More than ' : ''}${counted('proposal waits', 'proposals wait')(count)} for your review`,
}
