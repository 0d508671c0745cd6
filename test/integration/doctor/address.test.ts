import t from 'tap'
import { addressTexts } from '../../../domain/doctor/checks/address-texts.js'
import { PublicAddress } from '../../../domain/doctor/public-address.js'
import { freePort } from '../../free-port.js'
import { build } from '../../helper.js'
import { addForwarded, at, certificate, type ReverseProxy, startProxy } from './proxy.js'
import { behindProxy, found, installationOf, listen, restoring } from './set-up.js'

const m = addressTexts
const FIVE_MINUTES = 5 * 60_000
const HTML = { 'content-type': 'text/html' }
const tls = certificate(t)
const PEER = '127.0.0.1'

/** Waits only briefly for a proxy that does not send the length of a body. */
class Impatient extends PublicAddress {
  override send(path: string, request: Parameters<PublicAddress['send']>[1] = {}) {
    return super.send(path, request.body === null ? { ...request, deadlineMs: 50 } : request)
  }
}

t.test('a proxy in front', async t => {
  const { app, proxy, baseUrl } = await behindProxy(t, tls)
  const wrong = (changes: object = {}) => found(installationOf(app, tls.ca, changes))

  const page = (path: string, answer: string, body = '<p>', method = 'GET'): Partial<ReverseProxy> => {
    const [status, ...type] = answer.split(' ')
    const headers = { 'content-type': type.join(' ') }
    return { page: at(path, { status: Number(status), headers, body }, method) }
  }
  const server = '/.well-known/oauth-authorization-server'
  const openid = '/.well-known/openid-configuration'
  const oldCopy = JSON.stringify({ issuer: baseUrl, token_endpoint: `${baseUrl}/token` })
  const basic: Partial<ReverseProxy> = {
    page: at('/mcp/v1', { status: 401, headers: { 'www-authenticate': 'Basic' }, body: '' }, 'POST'),
  }
  const dropsAuthorization: Partial<ReverseProxy> = {
    onRequest: (headers, visitor) => {
      addForwarded(headers, visitor)
      delete headers.authorization
    },
  }
  const rewritesLocation: Partial<ReverseProxy> = {
    onResponse: headers => {
      if (headers.location) headers.location = headers.location.replace(/^https:\/\/[^/]+/, baseUrl)
    },
  }
  const addsPolicy: Partial<ReverseProxy> = {
    onResponse: (headers, path) => {
      if (path === '/login') headers['content-security-policy'] = "form-action 'self'"
    },
  }
  const isBehind: Partial<ReverseProxy> = {
    onResponse: headers => {
      headers.date = new Date(Date.now() - FIVE_MINUTES).toUTCString()
    },
  }
  const replacesForwarded: Partial<ReverseProxy> = {
    onRequest: (headers, visitor) => {
      headers['x-forwarded-for'] = visitor
    },
  }
  const proxies: [title: string, changes: Partial<ReverseProxy>, finding: [string, string, string] | null][] =
    [
      ['is as it should be', {}, null],
      ['drops Authorization', dropsAuthorization, ['tokens', 'problem', m.tokens.dropped.what]],
      [
        'asks for a password of its own',
        basic,
        ['tokens', 'problem', m.tokens.challenge('/mcp/v1', '401').what],
      ],
      [
        'drops WWW-Authenticate',
        { onResponse: headers => delete headers['www-authenticate'] },
        ['tokens', 'problem', m.tokens.challenge('/mcp/v1', '401 application/json; charset=utf-8').what],
      ],
      ...['404 text/html', '200 text/html'].map((answer): (typeof proxies)[0] => [
        `sends its own page, ${answer}, for what is missing`,
        page(openid, answer),
        ['notFound', 'problem', m.notFound(openid, answer).what],
      ]),
      [
        'keeps /.well-known/ for itself',
        page(server, '404 text/html'),
        ['discovery', 'problem', m.discovery.missing(server, '404 text/html').what],
      ],
      [
        'sends an old copy of the metadata',
        page(server, '200 application/json', oldCopy),
        ['discovery', 'problem', m.discovery.changed(server).what],
      ],
      [
        'does not pass Host on',
        {
          onRequest: (headers, visitor) => {
            addForwarded(headers, visitor)
            headers.host = 'backend:3000'
          },
          onResponse: headers => {
            headers.server = 'nginx/1.22.1'
          },
        },
        ['address', 'problem', m.wrongHost(baseUrl, '').what],
      ],
      [
        'refuses large bodies',
        {
          page: (_path, _method, headers) =>
            Number(headers['content-length']) > 2 ** 20 ? { status: 413, headers: HTML, body: '413' } : null,
        },
        ['uploads', 'problem', m.uploads('').what],
      ],
      [
        'answers OPTIONS itself',
        page('/mcp/v1', '200 text/plain', '', 'OPTIONS'),
        ['discovery', 'problem', m.discovery.cors('/mcp/v1').what],
      ],
      ['rewrites Location', rewritesLocation, ['callback', 'problem', `arrives as ${baseUrl}/`]],
      ['adds a policy of its own', addsPolicy, ['callback', 'problem', m.callback.formAction.what]],
      [
        'has a clock that is five minutes behind',
        isBehind,
        ['clock', 'problem', 'seconds ahead of that of the public address.'],
      ],
      [
        'says nothing of the visitor',
        { onRequest: headers => delete headers['x-forwarded-for'] },
        ['proxy', 'warning', m.proxy.notForwarded.what],
      ],
      ['believes what the visitor says', { onRequest() {} }, ['proxy', 'problem', m.proxy.forgeable.what]],
      ['replaces what the visitor says', replacesForwarded, null],
    ]
  for (const [title, changes, finding] of proxies)
    t.test(title, async t => {
      restoring(t, proxy)
      Object.assign(proxy, changes)
      const findings = await wrong()
      t.equal(findings.length, finding ? 1 : 0)
      if (finding) t.match(findings, [finding])
    })

  t.test('waits for the body before it asks the service', async t => {
    restoring(t, proxy)
    proxy.isWaitingForBody = true
    t.strictSame(await wrong({ address: new Impatient(baseUrl, tls.ca) }), [])
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

  t.test('https, but nothing terminates TLS', async t => {
    const address = http.replace('http:', 'https:')
    t.strictSame(await wrong(address), [['address', 'problem', m.address.noTls(address).what]])
  })

  t.test('a certificate of an unknown issuer', async t => {
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
