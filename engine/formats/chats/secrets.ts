/** Replaces a removed secret. */
export const REMOVED = '[secret removed]'

/** Prefixes of tokens and keys of services. A word with such a prefix and length is a secret. */
const TOKENS: readonly RegExp[] = [
  // AWS
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g,
  // GitHub, GitLab, Bitbucket, Atlassian
  /\b(?:gh[pousr]_|github_pat_|gl(?:pat|dt|rt|ft|soat|cbt|imt|agent)-|AT(?:ATT3|BB|CTT3))[\w=-]{20,300}/g,
  // Anthropic, OpenAI and others with the prefix sk-; Google
  /\b(?:sk-|AIza|ya29\.|GOCSPX-)[\w-]{20,500}/g,
  // Slack, Discord, Telegram
  /\b(?:xox[abeoprs]-|xapp-)[\w-]{10,255}/g,
  /(?:hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/|\bwhsec_)[\w+/=-]{10,255}/g,
  /\b\d{8,10}:AA[\w-]{32,34}/g,
  // Stripe, Square, Shopify, Twilio, SendGrid, Mailgun
  /\b(?:(?:sk|rk|pk)_(?:live|test)_|sq0[a-z]{3}-|shp(?:at|ca|pa|ss)_)[\w-]{10,255}/g,
  /\b(?:SK|AC|key-)[0-9a-f]{32}\b/g,
  /\bSG\.[\w-]{16,32}\.[\w-]{16,64}/g,
  // Registries, hosts and models
  /\b(?:npm_|pypi-AgE|dckr_pat_|do[opr]_v1_)[\w-]{20,500}/g,
  /\b(?:hf|gsk|r8|nvapi|figd|lin_api|glsa|pplx|xai|tskey|sntrys|secret_v2|ntn|rnd|sbp|PMAK|NRAK|dapi|hvs|hvb|fly|FlyV1)[_.-][\w.-]{20,300}/g,
  // This service
  /\b\w{1,20}_(?:at|rt)_[A-Za-z0-9]{10,60}_[\w-]{20,200}/g,
  // JSON Web Tokens
  /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*)?/g,
  // Private keys (RFC 7468), even unfinished ones
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY[\s\S]*?(?:-----END [A-Z ]{0,30}-----|$)/g,
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

/** The text without recognized tokens, keys and passwords. */
export function withoutSecrets(text: string): string {
  let rest = text
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
