import { createHash } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'
import type { BuildOptions } from '../../helper.js'
import { BASE, buildService, fill } from '../mcp/service.js'

export { BASE, fill }

export const API = '/api/v1'

/** A program that calls the API with a token. */
export type Program = ReturnType<typeof programOf>

/** The service with Ann, who has two Safes, Bob, who has another, and programs that call the API for them. */
export async function buildApi(t: Test, options: BuildOptions = {}) {
  const service = await buildService(t, options)
  const { app, issue } = service
  const program = async (
    accountId: string,
    grant: { scope?: string[]; chosenSafeIds?: string[]; onlyChosenSafe?: boolean } = {},
  ) => {
    const scope = ['vault:read', 'vault:write']
    const issued = await issue(accountId, { scope, resource: 'api', ...grant })
    return { ...programOf(app, issued.accessToken), ...issued }
  }
  return { ...service, program }
}

function programOf(app: FastifyInstance, token: string) {
  const send = (url: string, options: InjectOptions = {}) =>
    app.inject({
      url: url.startsWith(BASE) ? url.slice(BASE.length) : `${API}${url}`,
      ...options,
      headers: { authorization: `Bearer ${token}`, ...options.headers },
    })
  const get = (url: string) => send(url)
  const post = (url: string, payload?: object) =>
    send(url, { method: 'POST', ...(payload ? { payload } : {}) })
  const tus = (url: string, options: InjectOptions = {}) =>
    send(url, { ...options, headers: { 'tus-resumable': '1.0.0', ...options.headers } })
  /** Uploads a whole file. Returns its id. */
  const upload = async (safe: string, name: string, content: string | Buffer): Promise<string> => {
    const reply = await tus(`/safes/${safe}/uploads`, {
      method: 'POST',
      headers: {
        'upload-length': String(Buffer.byteLength(content)),
        'upload-metadata': metadata(name),
        'content-type': 'application/offset+octet-stream',
      },
      payload: content,
    })
    return String(reply.headers.location).split('/').at(-1) ?? ''
  }
  /** Waits until an import is no longer being read. */
  const imported = async (safe: string, id: number) => {
    for (;;) {
      const item = (await get(`/safes/${safe}/imports/${id}`)).json()
      if (item.status !== 'staging') return item
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  return { token, send, get, post, tus, upload, imported }
}

export const metadata = (name: string) => `filename ${Buffer.from(name).toString('base64')}`

export const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
