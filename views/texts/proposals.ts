import { counted, showDay } from '../../platform/common/format.js'

/** The texts of proposals. */
export const proposalsTexts = {
  heading: 'Proposals',
  lead: 'What assistants propose to add to this Safe. No question finds any of it before you accept it. Proposals expire after 30 days.',
  none: 'No proposals wait for review.',
  title: (assistant: string, count: number) =>
    `${assistant} proposes ${counted('statement', 'statements')(count)}`,
  from: (email: string, time: string) => `Connected by ${email} · ${time}`,
  /** The name of the import, which answers show as the source. */
  source: (assistant: string, at: number) => `suggested by ${assistant}, ${showDay(at)}`,
  said: 'What the assistant says about it. Nobody has checked this.',
  sourceLabel: 'Source:',
  statement: (number: number) => `Statement ${number}`,
  keep: 'Add this',
  subject: 'Subject',
  predicate: 'Relation',
  object: 'Object',
  same: 'The Safe contains this already.',
  passage: 'The object is too long for a name. It is added as a passage about the subject.',
  known: (names: string, hasMore: boolean) => `The Safe says now: ${names}${hasMore ? ', …' : ''}`,
  accept: 'Add the ticked statements',
  reject: 'Reject',
  rejectPerson: (email: string) => `Reject all of ${email}`,
  rejectAlways: 'Always reject from this connection',
  later: 'Decide later',
  rejected: 'Always rejected',
  allowAgain: 'Allow proposals again',
  waiting: (count: number, hasMore: boolean) =>
    `${hasMore ? 'More than ' : ''}${counted('proposal waits', 'proposals wait')(count)} for your review`,
}
