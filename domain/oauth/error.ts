type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** An OAuth error response (RFC 6749 §4.1.2.1, §5.2; RFC 7591 §3.2.2; RFC 8707 §2). */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  /** For the client's developer. Contains no `"` or `\` (RFC 6749 §5.2) and echoes no input. */
  readonly description: string
  /** Written to the log only. Never contains a secret. */
  readonly reason: string
  readonly status: number

  constructor(code: OAuthErrorCode, description: string, reason = description, status = 400) {
    super(reason)
    this.code = code
    this.description = description
    this.reason = reason
    this.status = status
  }
}
