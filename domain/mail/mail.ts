/** A message in plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
}

/** Sends one message. Rejects when the server did not accept it. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<void>

const MAX_ADDRESS_LENGTH = 254

/**
 * Whether mail can be sent to an address. Accounts may have others: those with characters that have a meaning
 * in headers or in SMTP are refused here, however they are quoted (RFC 5322 §3.2.3, specials).
 */
export function isMailAddress(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this rejects control characters
  const isPlain = /^[^\s\x00-\x1f\x7f@<>()[\]\\,;:"]+@[^\s\x00-\x1f\x7f@<>()[\]\\,;:"]+$/.test(text)
  return isPlain && text.length <= MAX_ADDRESS_LENGTH
}
