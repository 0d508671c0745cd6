import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type Browser, PASSWORD } from './browser.js'

export const jsonl = (...lines: object[]) =>
  Readable.from([Buffer.from(lines.map(l => JSON.stringify(l)).join('\n'))])
export const fact = (from: string, to: string) => ({ type: 'relation', from, relationType: 'knows', to })

/** Ann's Safe with one committed and one staged import, and one connection. */
export async function fill(app: FastifyInstance, browser: Browser, name = 'Household') {
  await browser.signIn('ann@example.org')
  const ann = (await app.accounts.findByEmail('ann@example.org'))!
  const safe = await app.safes.create(ann.id, name)
  const options = { source: 'a.jsonl' }
  const done = { ...options, bytes: jsonl(fact('Ann', 'Bo')), commit: true }
  const committed = await app.safes.import(ann.id, safe.id, done)
  const waiting = { ...options, bytes: jsonl(fact('Ann', 'Cy')), commit: false }
  const staged = await app.safes.import(ann.id, safe.id, waiting)
  const { connectionId } = await app.oauth.issueTokens(ann.id, { clientName: 'Claude' })
  const path = `/safes/${safe.id}`
  return {
    ann,
    safe,
    path,
    committed: `${path}/imports/${committed.id}`,
    staged: `${path}/imports/${staged.id}`,
    connectionId,
  }
}

export type Filled = Awaited<ReturnType<typeof fill>>

/** Every form there is: the page it is on, where it posts to, and what a person would enter. */
export const forms = (f: Filled): [page: string, action: string, fields: Record<string, string>][] => [
  ['/safes', '/safes', { name: 'Another' }],
  ['/safes', '/safes/sample', {}],
  [`${f.path}/settings`, `${f.path}/rename`, { name: 'Renamed' }],
  [`${f.path}/remove`, `${f.path}/remove`, {}],
  [f.staged, `${f.staged}/commit`, {}],
  [f.staged, `${f.staged}/undo`, {}],
  [f.committed, `${f.committed}/undo`, {}],
  ['/connections', `/connections/${f.connectionId}/revoke`, {}],
  ['/connections', '/connections/revoke-all', {}],
  ['/people', '/people/invite', { email: '' }],
  ['/account', '/account/password', { current: PASSWORD, next: `new ${PASSWORD}` }],
  ['/account', '/account/sign-out-everywhere', {}],
  ['/', '/logout', {}],
]

/** A form with a file, as a browser sends it. */
export function multipart(url: string, fields: Record<string, string>, fileName: string, content: string) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const payload = `${parts.join('')}${head}${content}\r\n--x--\r\n`
  return {
    method: 'POST' as const,
    url,
    payload,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  }
}
