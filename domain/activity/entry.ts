/** The kinds of entries, in the order of the filter on the pages. */
export const ACTIVITY_KINDS = [
  'question',
  'connected',
  'denied',
  'lowered',
  'powers-given',
  'ended',
  'refresh-reused',
  'imported',
  'import-failed',
  'undone',
  'restored',
  'exported',
  'safe-renamed',
  'safe-removed',
  'safe-restored',
  'invited',
  'member-added',
  'proposed',
  'proposal-rejected',
  'role-changed',
  'member-removed',
  'signed-in',
  'signed-in-new',
  'sign-in-failed',
  'password-changed',
  'reset-link',
  'password-reset',
  'identity-linked',
  'identity-unlinked',
  'passkey-added',
  'passkey-removed',
  'password-removed',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** The kinds that every page notifies the user of. The index `activity_notices` lists the same kinds. */
export const NOTICE_KINDS = [
  'connected',
  'refresh-reused',
  'import-failed',
  'signed-in-new',
  'reset-link',
  'password-reset',
] as const satisfies readonly ActivityKind[]

/** Passages of a document: `[title, path, import, first, last]`. The numbers are 0 if unknown. */
export type ReadPassages = readonly [
  title: string,
  path: string,
  importId: number,
  first: number,
  last: number,
]

/** A fact as `[subject, predicate, object]`, a passage without a document as `[title]`, or passages of one. */
export type ReadItem = readonly [string, string, string] | readonly [string] | ReadPassages

/** The parts of a document in one answer. */
export interface DocumentRead {
  path: string
  /** `<import>.<first>-<last>`, separated by commas. */
  parts: string
}

/** An event. It never contains a token, a code or a password (RULES S1). */
export interface NewEntry {
  kind: ActivityKind
  /** The account that acted or is affected. */
  accountId: string
  safeId?: string | null
  connectionId?: string | null
  /** A word or a sentence, depending on the kind: a file name, a format, a role, a reason, an address. */
  detail?: string | null
  /** Number of facts and passages in an answer or an import. */
  facts?: number
  passages?: number
  /** Dropped when it is written if the user does not want it stored. */
  question?: string | null
  /** `readItems` of the answer. */
  readJson?: string | null
  /** `documentsIn` the answer: each document once. */
  documents?: readonly DocumentRead[]
}

/** An entry with its id and its time, as it is stored. */
export interface StoredEntry extends Required<NewEntry> {
  id: string
}

/** An entry as shown. */
export interface ShownEntry {
  id: string
  /** Milliseconds since 1970. */
  at: number
  kind: ActivityKind
  /** The e-mail address of the account. */
  email: string
  /** The connection and its name. `name` is null if the connection has been deleted. */
  assistant: { connectionId: string; name: string | null; isVerified: boolean } | null
  safe: { id: string; name: string } | null
  detail: string | null
  facts: number
  passages: number
  question: string | null
  /** The first of the facts and passages in the answer. */
  read: ReadItem[]
}

/** Records an entry. Takes microseconds, never waits and never throws. */
export type RecordActivity = (entry: NewEntry) => void
