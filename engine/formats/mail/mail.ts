import type { Parsed } from '../../graph/index.js'
import { type Format, lazily, type SourceFile, UnreadableFile } from '../shared/format.js'
import { wholeOf } from '../shared/whole.js'
import type { MailMessage } from './mail-message.js'

/** File names in a Maildir of Dovecot, mutt or isync end with flags. */
const MAILDIR = /:2,[A-Za-z]{0,20}$/
/** Header lines that only occur in mail. */
const HEADER =
  '(?:return-path|received|delivered-to|message-id|mime-version|x-gm-thrid|authentication-results):'
const VALUE = String.raw`[^\n]{0,400}\n(?:[ \t][^\n]{0,400}\n){0,20}`
const FIELD = String.raw`[\w-]{1,60}:${VALUE}`

/** Three consecutive common header lines, including the subject. */
const WRITTEN = `(?=(?:${FIELD}){0,3}subject:)(?:(?:from|to|cc|reply-to|subject|date):${VALUE}){3}`

/** A message as a file (RFC 5322), also from Apple Mail (`.emlx`), which begins with its length. */
export const mail: Format = {
  id: 'mail',
  title: 'Mail message',
  // Programs other than Outlook also use `.msg`.
  extensions: ['eml', 'emlx', 'msg'],
  names: MAILDIR,
  isBinary: true,
  begins: /^[\w-]{1,60}:/,
  tells: new RegExp(`^(?:\\d{1,9}\\s{0,3}\\n)?(?:(?:${FIELD}){0,6}${HEADER}|${WRITTEN})`, 'i'),
  async *parse(bytes, file) {
    const [{ mailMessage }, { shortened }] = await Promise.all([
      import('./mail-message.js'),
      import('./mailbox.js'),
    ])
    const whole = shortened(withoutLength(await wholeOf(bytes, 'message')))
    const message = await mailMessage(whole).catch((error: Error) => {
      throw new UnreadableFile(`This message cannot be read: ${error.message}.`)
    })
    yield* recordsOf(file, message)
  },
}

/** A message saved by Outlook. */
export const outlook: Format = {
  id: 'outlook',
  title: 'Outlook message',
  extensions: ['msg'],
  isBinary: true,
  signature: ({ bytes, extension }) =>
    bytes.subarray(0, OLE.length).equals(OLE) && (extension === 'msg' || bytes.includes(PROPERTIES)),
  async *parse(bytes, file) {
    const { outlookMessage } = await import('./outlook-message.js')
    const message = outlookMessage(await wholeOf(bytes, 'message'))
    if ('format' in message) yield* (await import('./outlook-item.js')).outlookItemRecords(file, message)
    else yield* recordsOf(file, message)
  },
}

/** The signature of a compound file, and a stream name that only Outlook messages contain. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const PROPERTIES = Buffer.from('__properties_version1.0', 'utf16le')

async function* recordsOf(file: SourceFile | undefined, message: MailMessage): AsyncGenerator<Parsed[]> {
  const { from, subject, lines } = message
  if (from.length === 0 && subject === '' && lines.every(line => line.trim() === ''))
    throw new UnreadableFile('This is not a mail message: it has neither a sender nor a subject nor a text.')
  const [{ mailRecords }, { SeenText }] = await Promise.all([
    import('./mail-document.js'),
    import('./quoted-text.js'),
  ])
  yield* mailRecords(file, message, new SeenText(), { line: 1 })
}

/** All messages of a folder in one file (RFC 4155): Thunderbird, Google Takeout, Apple Mail. */
export const mbox: Format = {
  id: 'mbox',
  title: 'Mailbox',
  extensions: ['mbox', 'mbx'],
  isBinary: true,
  hasParts: true,
  tells: /^From \S{1,300} [^\n]{8,80}\n[\w-]{1,60}:/,
  parse: lazily(async () => (await import('./mailbox.js')).readMailbox),
}

/** Removes Apple Mail's length line above the message and settings below it. */
function withoutLength(bytes: Buffer): Buffer {
  const [, spaces, length] = /^(\s{0,20}(\d{1,9})\s{0,20}\n)/.exec(bytes.toString('latin1', 0, 60)) ?? []
  return spaces === undefined ? bytes : bytes.subarray(spaces.length, spaces.length + Number(length))
}
