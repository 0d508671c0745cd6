import t from 'tap'
import { browserName } from '../../../routes/pages/account/browser-name.js'

t.test('a browser and its system in plain words', async t => {
  const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const cases: [userAgent: string | null, name: string | null][] = [
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/130.0.0.0 Safari/537.36`,
      'Chrome on Windows',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${engine} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
      'Edge on Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${engine} Chrome/130.0.0.0 Safari/537.36 OPR/115.0`, 'Opera on Linux'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18.0 Safari/605',
      'Safari on Mac',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
      'Safari on iPhone',
    ],
    [`Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) ${engine} CriOS/130 Safari/604.1`, 'Chrome on iPad'],
    [`Mozilla/5.0 (Linux; Android 14) ${engine} Chrome/130.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541) ${engine} Chrome/130.0 Safari/537.36`, 'Chrome on ChromeOS'],
    ['curl/8.5.0', null],
    ['something on Linux', 'Linux'],
    ['', null],
    [null, null],
  ]
  for (const [userAgent, name] of cases) t.equal(browserName(userAgent), name, userAgent ?? 'none')
})
