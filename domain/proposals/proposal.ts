import type { TextEdit } from '../../engine/formats/index.js'

/** A fact that an assistant proposes. */
export interface Statement {
  subject: string
  predicate: string
  object: string
}

/** A new note, or an edit of a document, that an assistant proposes. The path of a note is its destination. */
export interface ProposedText extends TextEdit {
  /** The content hash of the document when it was proposed; null for a note. */
  version: string | null
}

/** A text that an owner accepts, as edited, and the version of the document they saw. */
export interface AcceptedText extends Pick<ProposedText, 'text' | 'version'> {
  /** Its index in the proposal. */
  number: number
}

/** An assistant's proposal of additions to a Safe. */
export interface NewProposal {
  statements: readonly Statement[]
  texts?: readonly ProposedText[]
  /** The reason, in the assistant's words. */
  note: string | null
  /** The assistant's source. */
  source: string | null
}

export type ProposalStatus = 'pending' | 'accepted' | 'rejected'

/** A proposal that waits for an owner's decision. */
export interface Proposal extends NewProposal {
  texts: readonly ProposedText[]
  id: string
  safeId: string
  /** The account of the assistant. */
  email: string
  connectionId: string
  /** The name of the assistant. */
  assistant: string
  /** Milliseconds since 1970. */
  createdAt: number
  expiresAt: number
}

/** Limits of tools and pages. Characters count UTF-16 code units. */
export const LIMITS = {
  statements: 50,
  name: 300,
  object: 2000,
  note: 1000,
  source: 300,
  /** All statements of a proposal together. */
  characters: 20_000,
  /** Maximum texts of a proposal, and maximum bytes of all of them together. */
  texts: 20,
  textBytes: 256 * 1024,
  /** Undecided proposals of a Safe. */
  pending: 100,
  /** Undecided proposals of one account among them. */
  pendingOfAccount: 20,
  /** Undecided proposals in a Safe above which only its owners may propose. */
  pendingForReaders: 80,
  /** Proposals of a connection within an hour. */
  perHour: 30,
  /** Proposals expire after this time, decided or not. */
  days: 30,
}
