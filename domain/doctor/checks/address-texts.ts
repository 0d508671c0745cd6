/** Findings about the public address and the proxy. */
export const addressTexts = {
  address: {
    unreachable: (baseUrl: string, reason: string) => ({
      what: `Nothing answers at ${baseUrl}: ${reason}.`,
      why: 'No assistant and no browser can connect.',
      fix: 'Start the server and the proxy in front of it, and set BASE_URL to its public address.',
    }),
    noTls: (baseUrl: string) => ({
      what: `${baseUrl} answers, but not over https.`,
      why: 'The service itself uses http. A proxy in front of it has to terminate TLS.',
      fix: 'Put a proxy with a certificate in front of the service, or set BASE_URL to the http address for use on this machine only.',
    }),
    tlsOnly: (baseUrl: string) => ({
      what: `${baseUrl} answers over https, not over http.`,
      why: 'Every address that the service publishes starts with BASE_URL, so assistants are sent to http.',
      fix: `Set BASE_URL=${baseUrl.replace(/^http:/, 'https:')} and restart the server.`,
    }),
    certificate: (baseUrl: string, reason: string) => ({
      what: `The certificate of ${baseUrl} is not accepted: ${reason}.`,
      why: 'Assistants refuse to connect to an address whose certificate they cannot verify.',
      fix: 'Renew the certificate at the proxy, with its whole chain and for this host name. For an authority of your own, set NODE_EXTRA_CA_CERTS.',
    }),
    redirects: (baseUrl: string, target: string) => ({
      what: `${baseUrl} redirects to ${target}.`,
      why: 'Assistants compare addresses character by character and do not follow a redirect of the MCP endpoint.',
      fix: `Set BASE_URL=${target} and restart the server, or stop the redirect.`,
    }),
    wrongAnswer: (baseUrl: string, answer: string) => ({
      what: `Something else answers at ${baseUrl}: ${answer}.`,
      why: 'Assistants reach that instead of this service.',
      fix: 'Set BASE_URL to the address of this service, or let the proxy pass all paths of that host to it.',
    }),
  },
  https: {
    none: (baseUrl: string) => ({
      what: `${baseUrl} is not encrypted.`,
      why: 'Passwords and tokens can be read in transit, and hosted assistants connect to https addresses only.',
      fix: 'Put a proxy that terminates TLS in front of the service, and set BASE_URL to its https address.',
    }),
    onlyHere: (baseUrl: string) => ({
      what: `Only programs on this machine can connect to ${baseUrl}.`,
      why: 'Hosted assistants such as Claude and ChatGPT need an https address that they can reach.',
      fix: 'Nothing, if this is intended. Otherwise, set BASE_URL to a public https address.',
    }),
  },
  discovery: {
    missing: (path: string, answer: string) => ({
      what: `${path} answers ${answer} instead of JSON.`,
      why: 'Assistants read it before they connect, and give up without it.',
      fix: 'Let the proxy pass all paths under /.well-known/ to the service, without a page or a redirect of its own.',
    }),
    otherIssuer: (issuer: string, baseUrl: string) => ({
      what: `The issuer is ${issuer}, but BASE_URL is ${baseUrl}.`,
      why: 'Assistants stop when the issuer is not the address that they asked (RFC 8414 §3.3).',
      fix: 'Give the server and this command the same BASE_URL, the address that assistants use, and restart the server.',
    }),
    changed: (path: string) => ({
      what: `${path} is not the document of this version of the service.`,
      why: 'Assistants that read outdated addresses or capabilities fail later.',
      fix: 'Restart the server after an update, and make sure that no cache or proxy stores or changes this document.',
    }),
    cors: (path: string) => ({
      what: `Web pages of other origins cannot call ${path}.`,
      why: 'Assistants that run in a browser cannot connect.',
      fix: 'Let the proxy pass OPTIONS requests and the Access-Control headers of the service unchanged.',
    }),
  },
  notFound: (path: string, answer: string) => ({
    what: `${path} answers ${answer} instead of 404 as JSON.`,
    why: 'Assistants look there first. A page or another answer than 404 makes them stop.',
    fix: 'Remove the page that the proxy sends for missing addresses (error_page, try_files, a catch-all route) on this host.',
  }),
  tokens: {
    dropped: {
      what: 'The Authorization header does not reach the service.',
      why: 'Assistants sign in, but each of their questions is refused, and they ask to sign in again and again.',
      fix: 'Let the proxy pass the header: in nginx proxy_set_header Authorization $http_authorization; in Apache CGIPassAuth On.',
    },
    challenge: (path: string, answer: string) => ({
      what: `${path} answers ${answer} instead of 401 with the WWW-Authenticate header of the service.`,
      why: 'Assistants learn from this header where to sign in.',
      fix: 'Let the proxy pass POST requests to this path, and their answers with all headers, without a sign-in or a firewall rule of its own.',
    }),
  },
  callback: {
    redirect: (callback: string, instead: string) => ({
      what: `The redirect to ${callback} arrives as ${instead}.`,
      why: 'After approval the browser does not get back to the assistant.',
      fix: 'Let the proxy pass /oauth/authorize with its query, and the Location header unchanged (nginx: proxy_redirect off).',
    }),
    formAction: {
      what: 'The proxy adds a Content-Security-Policy with form-action.',
      why: 'Browsers apply it to the redirect after the consent page: Approve silently does nothing.',
      fix: 'Remove the Content-Security-Policy header from the configuration of the proxy: the service sends its own.',
    },
  },
  proxy: {
    otherInstallation: (baseUrl: string) => ({
      what: `Another installation answers at ${baseUrl}.`,
      why: 'Changes made here do not appear there.',
      fix: 'Run the command with the DATA_DIR or DATABASE_URL of that server, or correct BASE_URL. After an update, restart the server.',
    }),
    untrusted: (peer: string) => ({
      what: `There is a proxy at ${peer}, but TRUST_PROXY is not set.`,
      why: 'All visitors share one rate limit, and wrong passwords of one lock out all.',
      fix: `Set TRUST_PROXY=${peer} (or the range of the proxy’s addresses) and restart the server.`,
    }),
    otherProxy: (peer: string, trusted: string) => ({
      what: `There is a proxy at ${peer}, but TRUST_PROXY is ${trusted}.`,
      why: 'All visitors share one rate limit, and wrong passwords of one lock out all.',
      fix: `Add ${peer}, or the range of the proxy’s addresses, to TRUST_PROXY and restart the server.`,
    }),
    notForwarded: {
      what: 'The proxy does not set X-Forwarded-For.',
      why: 'All visitors share one rate limit, and wrong passwords of one lock out all.',
      fix: 'Let the proxy add the header (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for), and set TRUST_PROXY to its address.',
    },
    forgeable: {
      what: 'The service trusts an X-Forwarded-For that a visitor made up.',
      why: 'Somebody who guesses passwords can use a new address for each attempt, so that no limit applies.',
      fix: 'Let the proxy add the address of the visitor to the header, or remove TRUST_PROXY if there is no proxy.',
    },
  },
  wrongHost: (baseUrl: string, setting: string) => ({
    what: `The proxy at ${baseUrl} does not pass the Host header.`,
    why: 'The service only accepts its own host name, so it refuses every request with wrong_host.',
    fix: `Let the proxy pass it: ${setting}.`,
  }),
  /** The setting of a proxy that passes Host, by its name. */
  hostSettings: {
    nginx: 'proxy_set_header Host $host',
    apache: 'ProxyPreserveHost On',
    caddy: 'remove header_up Host',
    any: 'nginx proxy_set_header Host $host, Apache ProxyPreserveHost On, Traefik passHostHeader: true',
  },
  uploads: (setting: string) => ({
    what: 'The proxy refuses uploads of 60 MB.',
    why: 'Imports of larger files and folders fail with 413, although the service takes them.',
    fix: `Raise the limit of the proxy: ${setting}.`,
  }),
  /** The setting of a proxy that allows large bodies, by its name. */
  uploadSettings: {
    nginx: 'client_max_body_size 0',
    apache: 'LimitRequestBody 0',
    caddy: 'request_body max_size',
    any: 'nginx client_max_body_size 0, Apache LimitRequestBody 0, Traefik maxRequestBodyBytes: 0',
  },
}
