import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Eta } from 'eta'
import { assetUrl } from '../../platform/common/asset.js'
import { rootDir } from '../../platform/common/package.js'
import { backupsTexts } from '../../views/texts/backups.js'
import type { Config } from '../config.js'

/** Interval after which browsers and programs retry. */
const AGAIN_SECONDS = '5'

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  Refresh: AGAIN_SECONDS,
}

/**
 * Reports the progress of a restore to people, programs and load balancers. It may take minutes.
 * @returns a function that stops
 */
export async function answerMeanwhile(config: Config): Promise<() => Promise<void>> {
  const server = createServer(answer(config))
  await new Promise<void>(resolve => {
    // Another process on the port also prevents the service from listening, and is reported then.
    server.on('error', () => resolve())
    server.listen({ host: config.host, port: config.port }, resolve)
  })
  return () =>
    new Promise(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

function answer({ brand }: Config) {
  const styleUrl = assetUrl('style.css')
  const m = backupsTexts
  const style = readFileSync(join(rootDir, 'public', 'style.css'))
  const page = new Eta({ views: join(rootDir, 'views') }).render('restoring', {
    m: { backups: m },
    brand,
    styleUrl,
  })
  const error = JSON.stringify({ error: 'temporarily_unavailable', error_description: m.restoringText })
  return ({ url, headers }: IncomingMessage, response: ServerResponse) => {
    if (url === styleUrl) return response.writeHead(200, { 'Content-Type': 'text/css' }).end(style)
    // The process is healthy: nobody has to end it.
    if (url === '/healthz') return response.writeHead(200, JSON_HEADERS).end('{"status":"ok"}')
    const isPage = headers.accept?.includes('text/html') ?? false
    response.writeHead(503, { ...(isPage ? PAGE_HEADERS : JSON_HEADERS), 'Retry-After': AGAIN_SECONDS })
    return response.end(isPage ? page : error)
  }
}
