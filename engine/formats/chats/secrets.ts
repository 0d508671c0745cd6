/** Replaces a removed secret. */
export const REMOVED = '[secret removed]'

/** Prefixes of tokens and keys of services. A word with such a prefix and length is a secret. */
const TOKENS: readonly RegExp[] = [
  // AWS
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g,
  // GitHub, GitLab, Bitbucket, Atlassian
  /\bgh[pousr]_[A-Za-z0-9]{30,255}/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,255}/g,
  /\bgl(?:pat|dt|rt|ft|soat|cbt|imt|agent)-[\w-]{20,255}/g,
  /\bAT(?:ATT3|BB|CTT3)[\w=-]{20,300}/g,
  // Anthropic, OpenAI and others with the prefix sk-
  /\bsk-[A-Za-z0-9_-]{20,300}/g,
  // Google
  /\bAIza[\w-]{35}/g,
  /\bya29\.[\w-]{20,500}/g,
  /\bGOCSPX-[\w-]{20,60}/g,
  // Slack, Discord, Telegram
  /\bxox[abeoprs]-[\w-]{10,255}/g,
  /\bxapp-[\w-]{10,255}/g,
  /hooks\.slack\.com\/(?:services|workflows)\/[\w/+-]{10,200}/g,
  /discord(?:app)?\.com\/api\/webhooks\/[\w/-]{20,200}/g,
  /\b\d{8,10}:AA[\w-]{32,34}/g,
  // Stripe, Square, Shopify, Twilio, SendGrid, Mailgun
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,255}/g,
  /\bwhsec_[A-Za-z0-9+/=]{20,255}/g,
  /\bsq0[a-z]{3}-[\w-]{22,60}/g,
  /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g,
  /\b(?:SK|AC)[0-9a-f]{32}\b/g,
  /\bSG\.[\w-]{16,32}\.[\w-]{16,64}/g,
  /\bkey-[0-9a-f]{32}\b/g,
  // Registries, hosts and models
  /\bnpm_[A-Za-z0-9]{36}/g,
  /\bpypi-AgE[\w-]{50,500}/g,
  /\bdckr_pat_[\w-]{20,100}/g,
  /\bdo[opr]_v1_[a-f0-9]{64}/g,
  /\b(?:hf|gsk|r8|nvapi|figd|lin_api|glsa|pplx|xai|tskey|sntrys|secret_v2|ntn|rnd|sbp|PMAK|NRAK|dapi|hvs|hvb|fly|FlyV1)[_.-][\w.-]{20,300}/g,
  // This service
  /\b\w{1,20}_(?:at|rt)_[A-Za-z0-9]{10,60}_[\w-]{20,200}/g,
  // JSON Web Tokens
  /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*)?/g,
]

/** Names of secrets in settings and JSON. */
const NAME =
  '(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|credentials?|client[_-]?secret|connection[_-]?string)'

/** Values after a name and an equals sign or colon. The second group is removed. */
const VALUES: readonly RegExp[] = [
  // TOKEN=abc, export DB_PASSWORD="abc"
  /(\b(?:[A-Z][A-Z0-9_]{0,60})?(?:TOKEN|SECRET|PASSWORD|PASSWD|KEY|CREDENTIALS?)[A-Z0-9_]{0,30}=["']?)([^\s"'$<{][^\s"']{5,500})/g,
  // "password": "abc", apiKey = 'abc'
  new RegExp(
    `(\\b[\\w-]{0,40}${NAME}[\\w-]{0,20}["']?\\s{0,5}[:=]\\s{0,5}["'])([^\\s"'$<{][^"'\\n]{5,500})(?=["'])`,
    'gi',
  ),
  // password: abc
  /(\b(?:password|passwd|passphrase|api[_-]?key|secret)\s{0,3}(?:[:=]|is)\s{1,3})([^\s"'`$<{(]{8,200})(?=[\s.,;]|$)/gi,
  // Authorization: Bearer abc
  /(\b(?:bearer|basic|token)\s{1,3})([A-Za-z0-9+/_.~-]{20,2000}={0,2})/gi,
  // --password abc, --token=abc
  /(--(?:password|passwd|token|secret|api-key|auth|pass)[= ]["']?)([^\s"'$<{-][^\s"']{3,500})/g,
  // https://ada:abc@example.org
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:)([^\s/@]{1,200})(?=@)/gi,
]

const KEY_BEGINS = '-----BEGIN '
const KEY_ENDS = '-----END '

/** The text without recognized tokens, keys and passwords. */
export function withoutSecrets(text: string): string {
  let rest = withoutKeys(text)
  for (const token of TOKENS) rest = rest.replace(token, REMOVED)
  for (const value of VALUES) rest = rest.replace(value, `$1${REMOVED}`)
  return rest
}

const SECRET_NAME = new RegExp(`${NAME}$`, 'i')

/** The same for a JSON value, which is also removed if its name marks it as secret. For `JSON.parse`. */
export function valueWithoutSecrets(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value !== '' && SECRET_NAME.test(name) ? REMOVED : withoutSecrets(value)
}

/** Removes private keys (RFC 7468), even unfinished ones. */
function withoutKeys(text: string): string {
  let [kept, at] = ['', 0]
  for (;;) {
    const begin = text.indexOf(KEY_BEGINS, at)
    if (begin < 0) return kept + text.slice(at)
    const label = text.slice(begin, begin + 60)
    if (!label.includes('PRIVATE KEY')) {
      kept += text.slice(at, begin + KEY_BEGINS.length)
      at = begin + KEY_BEGINS.length
      continue
    }
    kept += text.slice(at, begin) + REMOVED
    const end = text.indexOf(KEY_ENDS, begin)
    if (end < 0) return kept
    const close = text.indexOf('-----', end + KEY_ENDS.length)
    at = close < 0 ? text.length : close + 5
  }
}
