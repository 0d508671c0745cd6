import fc from 'fast-check'
import { pieces } from '../../pieces.js'
import { hostileText } from './hostile.js'

/** Headers that some layer reads, with bad values. */
const HEADER_VALUES: Record<string, readonly string[]> = {
  accept: ['*/*', 'text/html', 'application/json', 'text/html;q=0.1', '', 'svc-fuzz/*', 'text/event-stream'],
  'accept-encoding': ['gzip, br', 'svc-fuzz', '*;q=0'],
  authorization: pieces(
    'Bearer¦Bearer ¦bearer ‹at›¦Bearer ‹at› ‹at›¦Basic c3ZjOmZ1eno=¦Bearer ‹rt›¦Bearer ‹code›',
  ),
  connection: ['close', 'keep-alive', 'upgrade', 'content-length'],
  'content-encoding': ['gzip', 'svc-fuzz'],
  'content-length': ['0', '1', '99999', '-1', '1e3', 'svc-fuzz', '9007199254740993'],
  'content-type': pieces(
    'application/json¦application/json; charset=utf-16',
    'application/x-www-form-urlencoded; charset=utf-7¦text/plain¦multipart/form-data',
    'multipart/form-data; boundary=¦multipart/form-data; boundary="svc-fuzz"',
    'application/vnd.api+json¦application/json/x¦svc-fuzz¦¦application/JSON¦;¦text/html',
  ),
  cookie: pieces(
    '__Host-svc_session=‹session.ann~3›¦__Host-svc_browser=‹browser.ann›¦__proto__=1; constructor=2',
    '=; ;=;¦__Host-svc_session=‹session.ann›; __Host-svc_session=‹vera.secret.session›',
    '__Host-svc_session=%00¦svc-fuzz',
  ),
  expect: ['100-continue', 'svc-fuzz'],
  forwarded: ['for=1.2.3.4;host=svc-fuzz.example;proto=http', 'svc-fuzz'],
  host: pieces('svc-fuzz.example¦safes.example¦SAFES.example:443¦localhost:99999¦127.0.0.1:1@svc-fuzz¦¦[::1'),
  'if-none-match': ['*', '"svc-fuzz"'],
  'if-modified-since': ['svc-fuzz'],
  'last-event-id': ['svc-fuzz'],
  'mcp-method': pieces('tools/list¦tools/call¦server/discover¦TOOLS/LIST¦=?base64?cGluZw==?=¦¦svc-fuzz'),
  'mcp-name': ['svc', '=?base64?c3Zj?=', '=?base64?svc-fuzz?=', '=?base64?=', '', 'svc-fuzz', '‹at›'],
  'mcp-protocol-version': pieces('2025-03-26¦2025-06-18¦2025-11-25¦2026-07-28¦2099-01-01¦¦svc-fuzz'),
  'mcp-session-id': ['‹mcp›', '‹mcp~4›', '', 'svc-fuzz', '__proto__'],
  origin: ['null', 'https://svc-fuzz.example', '‹base›', 'http://localhost:9', 'svc-fuzz'],
  range: ['bytes=0-1', 'bytes=svc-fuzz', 'bytes=9-1'],
  referer: ['https://svc-fuzz.example/"><svc-fuzz>'],
  'sec-fetch-site': ['cross-site', 'same-origin', 'none', 'svc-fuzz'],
  'transfer-encoding': ['chunked', 'gzip', 'svc-fuzz'],
  upgrade: ['websocket', 'h2c'],
  'x-forwarded-for': ['1.2.3.4', 'svc-fuzz', '‹x*2000›'],
  'x-forwarded-host': ['svc-fuzz.example'],
  'x-forwarded-proto': ['http', 'javascript'],
  'x-http-method-override': ['DELETE'],
}

export const header: fc.Arbitrary<[string, string]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...Object.entries(HEADER_VALUES).flatMap(([name, values]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...Object.keys(HEADER_VALUES)), hostileText) },
)
