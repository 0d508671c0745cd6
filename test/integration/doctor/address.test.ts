import t from 'tap'
import { PublicAddress } from '../../../doctor/public-address.js'
import { messages } from '../../../messages.js'
import { freePort } from '../../free-port.js'
import { build } from '../../helper.js'
import { addForwarded, at, certificate, type ReverseProxy, startProxy } from './proxy.js'
import { behindProxy, found, installationOf, listen, restoring } from './set-up.js'

const m = messages.doctor
const FIVE_MINUTES = 5 * 60_000
const HTML = { 'content-type': 'text/html' }
const tls = certificate(t)
const PEER = '127.0.0.1'

t.test('a proxy in front', async t => {
  const { app, proxy, baseUrl } = await behindProxy(t, tls)
  const wrong = (settings: object = {}) => found(installationOf(app, tls.ca, { settings }))

  t.test('as it should be: nothing is found', async t => {
    t.strictSame(await wrong(), [])
  })

  const mistakes: [title: string, make: (proxy: ReverseProxy) => void, check: string, what: string][] = [
    [
      'drops Authorization',
      proxy => {
        proxy.onRequest = (headers, visitor) => {
          addForwarded(headers, visitor)
          delete headers.authorization
        }
      },
      'tokens',
      m.tokens.dropped.what,
    ],
    [
      'asks for a password of its own',
      proxy => {
        proxy.page = at(
          '/mcp/v1',
          { status: 401, headers: { 'www-authenticate': 'Basic' }, body: '' },
          'POST',
        )
      },
      'tokens',
      m.tokens.challenge('/mcp/v1', '401').what,
    ],
    [
      'drops WWW-Authenticate',
      proxy => {
        proxy.onResponse = headers => delete headers['www-authenticate']
      },
      'tokens',
      m.tokens.challenge('/mcp/v1', '401 application/json; charset=utf-8').what,
    ],
    [
      'sends its own page for what is missing',
      proxy => {
        proxy.page = at('/.well-known/openid-configuration', { status: 404, headers: HTML, body: '<p>' })
      },
      'notFound',
      m.notFound('/.well-known/openid-configuration', '404 text/html').what,
    ],
    [
      'sends a website for every path that it does not know',
      proxy => {
        proxy.page = at('/.well-known/openid-configuration', { status: 200, headers: HTML, body: '<p>' })
      },
      'notFound',
      m.notFound('/.well-known/openid-configuration', '200 text/html').what,
    ],
    [
      'keeps /.well-known/ for itself',
      proxy => {
        const path = '/.well-known/oauth-authorization-server'
        proxy.page = at(path, { status: 404, headers: HTML, body: '<p>' })
      },
      'discovery',
      m.discovery.missing('/.well-known/oauth-authorization-server', '404 text/html').what,
    ],
    [
      'sends an old copy of the metadata',
      proxy => {
        const document = { issuer: baseUrl, token_endpoint: `${baseUrl}/token` }
        const headers = { 'content-type': 'application/json' }
        const path = '/.well-known/oauth-authorization-server'
        proxy.page = at(path, { status: 200, headers, body: JSON.stringify(document) })
      },
      'discovery',
      m.discovery.changed('/.well-known/oauth-authorization-server').what,
    ],
    [
      'answers OPTIONS itself',
      proxy => {
        proxy.page = at('/mcp/v1', { status: 200, headers: {}, body: '' }, 'OPTIONS')
      },
      'discovery',
      m.discovery.cors('/mcp/v1').what,
    ],
    [
      'rewrites Location',
      proxy => {
        proxy.onResponse = headers => {
          const { location } = headers
          if (location) headers.location = location.replace(/^https:\/\/[^/]+/, baseUrl)
        }
      },
      'callback',
      `arrives as ${baseUrl}/`,
    ],
    [
      'adds a policy of its own',
      proxy => {
        proxy.onResponse = (headers, path) => {
          if (path === '/login') headers['content-security-policy'] = "form-action 'self'"
        }
      },
      'callback',
      m.callback.formAction.what,
    ],
    [
      'has a clock that is five minutes behind',
      proxy => {
        proxy.onResponse = headers => {
          headers.date = new Date(Date.now() - FIVE_MINUTES).toUTCString()
        }
      },
      'clock',
      'seconds ahead of that of the public address.',
    ],
  ]
  for (const [title, make, check, what] of mistakes)
    t.test(title, async t => {
      restoring(t, proxy)
      make(proxy)
      const findings = await wrong()
      t.equal(findings.length, 1)
      t.match(findings, [[check, 'problem', what]])
    })

  t.test('says nothing of the visitor', async t => {
    restoring(t, proxy)
    proxy.onRequest = headers => delete headers['x-forwarded-for']
    t.strictSame(await wrong(), [['proxy', 'warning', m.proxy.notForwarded.what]])
  })

  t.test('believes what the visitor says of itself', async t => {
    restoring(t, proxy)
    proxy.onRequest = () => {}
    t.strictSame(await wrong(), [['proxy', 'problem', m.proxy.forgeable.what]])
  })

  t.test('replaces what the visitor says of itself', async t => {
    restoring(t, proxy)
    proxy.onRequest = (headers, visitor) => {
      headers['x-forwarded-for'] = visitor
    }
    t.strictSame(await wrong(), [])
  })

  for (const [trusted, expected] of [
    ['', m.proxy.untrusted(PEER).what],
    ['10.0.0.0/8', m.proxy.otherProxy(PEER, '10.0.0.0/8').what],
  ] as const)
    t.test(`TRUST_PROXY is “${trusted}”`, async t => {
      restoring(t, proxy)
      const env = { BASE_URL: baseUrl, TRUST_PROXY: trusted }
      const other = await build(t, { setUp: 'embedded', env })
      proxy.target = await listen(other)
      t.strictSame(await found(installationOf(other, tls.ca)), [['proxy', 'warning', expected]])
    })

  t.test('leads to another installation', async t => {
    restoring(t, proxy)
    const other = await build(t, { setUp: 'embedded', env: { BASE_URL: baseUrl, TRUST_PROXY: 'loopback' } })
    proxy.target = await listen(other)
    t.strictSame(await wrong(), [['proxy', 'problem', m.proxy.otherInstallation(baseUrl).what]])
  })

  t.test('leads to a server with another BASE_URL', async t => {
    restoring(t, proxy)
    const env = { BASE_URL: 'https://old.example', TRUST_PROXY: 'loopback', HOST: '0.0.0.0' }
    proxy.target = await listen(await build(t, { env }))
    const findings = await wrong()
    t.match(findings.filter(([check]) => check === 'discovery').at(-1), [
      'discovery',
      'problem',
      m.discovery.otherIssuer('https://old.example', baseUrl).what,
    ])
  })
})

t.test('an address that is wrong', async t => {
  const { app, proxy, baseUrl } = await behindProxy(t, tls)
  const wrong = (baseUrl: string) => found(installationOf(app, tls.ca, { settings: { baseUrl } }))
  const plain = await startProxy(t)
  plain.target = proxy.target
  const http = `http://localhost:${plain.port}`

  t.test('nothing listens', async t => {
    const nowhere = `https://localhost:${await freePort()}`
    t.match(await wrong(nowhere), [['address', 'problem', /^Nothing answers at https:.*ECONNREFUSED/]])
  })

  t.test('http, but the proxy speaks https', async t => {
    const address = baseUrl.replace('https:', 'http:')
    t.strictSame(await wrong(address), [['address', 'problem', m.address.tlsOnly(address).what]])
  })

  t.test('https, but nobody terminates TLS', async t => {
    const address = http.replace('http:', 'https:')
    t.strictSame(await wrong(address), [['address', 'problem', m.address.noTls(address).what]])
  })

  t.test('a certificate that nobody knows', async t => {
    const [finding, ...more] = await found(
      installationOf(app, undefined, { address: new PublicAddress(baseUrl) }),
    )
    t.match(finding, ['address', 'problem', /^The certificate of https:.* is not accepted/])
    t.strictSame(more, [])
  })

  t.test('http that redirects to https', async t => {
    plain.page = () => ({ status: 301, headers: { location: `${baseUrl}/healthz` }, body: '' })
    t.strictSame(await wrong(http), [['address', 'problem', m.address.redirects(http, baseUrl).what]])
  })

  t.test('a website', async t => {
    plain.page = () => ({ status: 200, headers: HTML, body: '<p>Welcome' })
    t.strictSame(await wrong(http), [
      ['address', 'problem', m.address.wrongAnswer(http, '200 text/html').what],
    ])
  })

  t.test('http to anybody', async t => {
    const address = `http://svc.example:${await freePort()}`
    const findings = await wrong(address)
    t.match(findings.at(-1), ['https', 'problem', m.https.none(address).what])
  })
})
