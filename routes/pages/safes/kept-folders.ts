import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { flashTexts } from '../../../views/texts/flash.js'
import { formPage } from '../form-page.js'
import { ownSafe } from '../own-safe.js'
import { type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { showFiles } from './safe-files.js'

const Keep = { params: SafeParams, body: Type.Object({ folder: TextField() }) }
const Named = {
  params: SafeParams,
  body: Type.Object({ name: TextField(), confirmed: Type.Optional(Type.Literal('yes')) }),
}

/** Folders of the server that the service keeps a Safe in step with: choosing one, a run now, and the end. */
export default async function keptFolderPages(app: TypedApp) {
  const path = '/safes/:safeId/folders'
  const form = { load: ownSafe, show: showFiles }

  app.post(path, { schema: Keep }, formPage({ ...form, change: keep }))
  app.post(`${path}/sync`, { schema: Named }, formPage({ ...form, change: syncNow }))
  app.post(`${path}/stop`, { schema: Named }, formPage({ ...form, change: stop }))
}

async function keep(request: RequestOf<typeof Keep>) {
  const { server, params, body } = request
  await server.keptFolders.keep(accountOf(request).id, params.safeId, body.folder)
  return `/safes/${params.safeId}/files#folders`
}

async function syncNow(request: RequestOf<typeof Named>) {
  const { server, params, body } = request
  const isConfirmed = body.confirmed === 'yes'
  await server.keptFolders.syncNow(accountOf(request).id, params.safeId, body.name, isConfirmed)
  return `/safes/${params.safeId}/files#folders`
}

async function stop(request: RequestOf<typeof Named>, { id }: { id: string }, reply: FastifyReply) {
  const { server, body } = request
  await server.keptFolders.stop(accountOf(request).id, id, body.name)
  reply.says({ text: flashTexts.folderLeft(body.name) })
  return `/safes/${id}/files`
}
