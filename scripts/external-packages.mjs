/**
 * Packages that stay outside the bundles (decision 20). Installing the packed file installs these
 * (`packed-package.mjs`); all other `dependencies` of package.json become part of the bundles.
 */
export const EXTERNAL = [
  // Native.
  '@photostructure/sqlite',
  'better-sqlite3',
  // Read files of their own, or import CommonJS dynamically.
  '@fastify/swagger',
  '@opentelemetry/resources',
  // Only some starts need them.
  '@orama/stemmers',
  'nodemailer',
  'prom-client',
  'proper-lockfile',
  'unpdf',
  'yauzl',
  'yazl',
]

/** CommonJS packages in a bundle that are imported dynamically, with the exports that are used. */
export const EXPORTS = {
  chardet: ['analyse'],
  cookie: ['parseCookie', 'stringifySetCookie'],
  'jsonld-streaming-parser': ['JsonLdParser'],
  n3: ['DataFactory', 'Parser', 'Writer'],
  'rdfxml-streaming-parser': ['RdfXmlParser'],
}

/**
 * Packages that our packages load, but never use here, because the service validates and writes JSON itself
 * (`routes/schema-check.ts`, `mcp/server.ts`), lists no folders of assets, and logs without threads.
 */
export const LEFT_OUT = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'ajv',
  'ajv-formats',
  'glob',
  'light-my-request',
  'pg-native',
  'thread-stream',
]
