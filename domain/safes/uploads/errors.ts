import { DomainError, errorsOf } from '../../../platform/common/domain-error.js'
import { showBytes } from '../../../platform/common/format.js'

/** Every error of uploads and of the sync runs that are sent. */
export const uploadErrors = errorsOf({
  tooLarge: (most: number) => `413 too_large: A file may have at most ${showBytes(most)}.`,
  tooMuch: '413 too_large: More bytes were sent than announced.',
  tooMany: (count: number, bytes: number) =>
    `429+60 too_many_uploads: An account may have ${count} uploads of together ${showBytes(bytes)}. Use or delete some.`,
  wrongOffset: (received: number) => `409 wrong_offset: ${received} bytes have arrived. Continue there.`,
  superseded: '409 superseded: Another request continues this upload.',
  stalled: '408 stalled: Nothing arrived for too long. Continue the upload.',
  expired: '410 upload_expired: This upload has expired, or its content is lost. Start again.',
  incomplete: (name: string) => `409 upload_incomplete: “${name}” has not arrived completely.`,
  runEnded: '409 run_running: This run is being written, or has ended.',
  wrongContent: (sha256: string) => `400 wrong_content: A content does not have the SHA-256 ${sha256}.`,
  inUse: (name: string) => `409 upload_in_use: “${name}” is being read.`,
})

/** The Safe has changed since the run began, so the run needs further contents. */
export class ContentsMissing extends DomainError {
  readonly details: { wanted: string[] }

  constructor(wanted: string[]) {
    super(409, 'contents_missing', 'More contents are needed. Send them, then finish again.')
    this.details = { wanted }
  }
}
