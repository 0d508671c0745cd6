import fc from 'fast-check'
import { pieces } from '../../pieces.js'
import { documentIds } from './documents.js'
import type { Tree } from './plan.js'

/** Becomes a tag, attribute, script or code wherever escaping is missing (`html.ts` looks for them). */
const MARKERS = pieces(
  '<svc-fuzz>¦"><svc-fuzz a="¦\'><svc-fuzz>¦" svc-fuzz="1¦\' svc-fuzz=\'1¦--><svc-fuzz>',
  '</title><svc-fuzz>¦</textarea></script><svc-fuzz>¦<script>svc-fuzz</script>',
  '<img src=x onerror=svc-fuzz>¦javascript:svc-fuzz¦&lt;svc-fuzz&gt;&quot;¦%3Csvc-fuzz%3E',
  '{{7919*7907}}¦<%= 7919*7907 %>',
)

const ODD_TEXTS = [
  ...pieces(
    '¦ ¦\0¦a\0b¦\t\n\r¦\r\nX-Svc-Fuzz: 1¦\r\n\r\n<svc-fuzz>¦\u202e\u2066svc-fuzz\u2069',
    '\ufeff\u200b\u00ad¦\ud800¦\udc00\ud800¦e\u0301\u0301\u0301\u0301¦＜svc-fuzz＞',
  ),
  '💥'.repeat(30),
  ...pieces(
    '..¦../../etc/passwd¦..%2f..%2f¦%00¦%¦%zz¦%c0%ae¦%ed%a0%80¦//svc-fuzz.example',
    '/\\svc-fuzz.example¦https://svc-fuzz.example/¦https://assistant.example.svc-fuzz.example/cb',
    'https://assistant.example@svc-fuzz.example/cb¦https://assistant.example/cb#',
    'https://assistant.example/cb/../x¦https://claude.ai/api/mcp/auth_callback',
    'https://claude.ai.svc-fuzz.example/api/mcp/auth_callback',
    'https://chatgpt.com/connector/oauth/..%2fx¦http://localhost:1/x',
    'http://localhost.svc-fuzz.example/¦http://127.0.0.1:99999/cb¦http://0x7f.1/cb',
    'http://[::1]:8/cb?code=1¦data:text/html,<svc-fuzz>¦com.example.app:/cb',
    'https://xn--80ak6aa92e.com/cb',
  ),
  ...documentIds,
  ...pieces(
    'https://claude.ai/oauth/claude-code-client-metadata¦https://127.0.0.1/client.json¦__proto__',
    'constructor¦prototype¦hasOwnProperty¦toString¦then¦null¦undefined¦true¦-1¦0¦00¦1.5¦1e309',
    '9007199254740993¦Infinity¦vault:read vault:write¦vault:write¦plain¦S256¦token¦code¦on¦yes',
    'approve¦deny¦\' OR 1=1 --¦"; DROP TABLE accounts; --¦* | ? { } ( ) [ ] \\ " ^ ~ :¦NEAR(a b)',
    '$(id) `id`¦(?:a+)+$',
  ),
]

/** Filled in by the world: `‹x*70000›` is 70,000 x. */
const LENGTHS = [64, 101, 129, 255, 1001, 1025, 2049, 4097, 8193, 16_385, 70_000].map(
  length => `‹x*${length}›`,
)
const WIDE = ['‹é*2000›', '‹💥*600›', '‹‮*300›', '‹<*500›', '‹%*500›', '‹[*3000›', '‹0*400›']

/** Anything that exists in a world, of any owner; unchanged or with a changed character. */
const REFS = [
  ...pieces(
    'callback¦callback.odd¦challenge¦verifier¦state¦base¦password¦setup¦invite¦mcp¦client',
    'client.odd¦client.loopback¦consent¦consent.approve¦consent.deny¦cursor¦connection¦safe',
    'safe.other¦safe.bob¦import¦import.staged¦id.ann¦email.ann¦email.bob¦email.root¦at¦at.safe',
    'at.bob¦rt¦code¦session.ann¦csrf.ann¦csrf.bob¦csrf.root¦csrf.nobody¦cookies.ann¦cookies.bob',
    'cookies.root¦cookies.nobody¦vera.safe¦vera.import¦vera.connection¦vera.consent¦vera.email',
    'vera.id',
  ),
  ...['at', 'rt', 'code', 'session', 'browser'].map(name => `vera.secret.${name}`),
]

const ref = fc.constantFrom(...REFS)
const live = fc.oneof(
  { weight: 3, arbitrary: ref.map(name => `‹${name}›`) },
  { weight: 1, arbitrary: fc.tuple(ref, fc.nat(150)).map(([name, at]) => `‹${name}~${at}›`) },
)

/** Includes halves of surrogate pairs. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map(code => String.fromCodePoint(code))

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...MARKERS) },
  { weight: 6, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 5, arbitrary: live },
  { weight: 1, arbitrary: fc.constantFrom(...LENGTHS, ...WIDE) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
)

/** JSON of every type, including prototype names and deep nesting. */
export const hostileValue: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Tree[]>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 53,
      1e308,
      -0,
      [],
      {},
      [[]],
      [null],
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Tree> },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toJSON').map(name => named(name, { x: 1 })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 300 }).map(nest) },
)

/** An object with a member of exactly this name, even if an assignment would do something else. */
function named(name: string, value: Tree): Tree {
  return JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)
}

function nest(depth: number): Tree {
  let value: Tree = 'svc-fuzz'
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { params: value }
  return value
}

/** Names with a meaning somewhere in this service. */
export const NAMES = pieces(
  '_csrf¦email¦password¦request¦token¦safe¦only¦scope¦decision¦name¦q¦cursor¦client_id',
  'client_secret¦redirect_uri¦redirect_uris¦resource¦state¦code¦grant_type¦request_uri¦nonce',
  'prompt¦response_mode¦token_type_hint¦access_token¦jsonrpc¦id¦method¦params¦arguments¦task',
  '_meta¦progressToken¦file¦format¦skip_bad¦query¦limit',
)

export const hostileName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 2, arbitrary: hostileText },
)
