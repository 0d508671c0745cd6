/**
 * Packages that stay outside the bundles (decision 20). Whoever installs the packed file gets these
 * (`packed-package.mjs`); all other `dependencies` of package.json become part of the bundles.
 */
export const EXTERNAL = [
  // Native.
  '@photostructure/sqlite',
  'better-sqlite3',
  // Starts threads.
  'pino',
  // Read files of their own, or import CommonJS dynamically.
  '@fastify/static',
  '@fastify/swagger',
  '@opentelemetry/resources',
  // Only some starts need them.
  '@orama/stemmers',
  'ioredis',
  'jsonld-streaming-parser',
  'mammoth',
  'n3',
  'nodemailer',
  'pg',
  'prom-client',
  'proper-lockfile',
  'rdfxml-streaming-parser',
  'unpdf',
  'yaml',
  'yauzl',
  'yazl',
]

/**
 * Packages that our packages load, but never use here, because the service validates and writes JSON itself
 * (`routes/schema-check.ts`, `mcp/recording-server.ts`).
 */
export const LEFT_OUT = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'ajv',
  'ajv-formats',
]
