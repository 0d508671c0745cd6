import { Type } from '@sinclair/typebox'
import { formPage } from '../form-page.js'
import { ownSafe } from '../own-safe.js'
import { type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { showFiles } from './safe-files.js'

const Keep = { params: SafeParams, body: Type.Object({ folder: TextField() }) }
const Named = {
  params: SafeParams,
  body: Type.Object({ name: TextField(), confirmed: Type.Optional(Type.Literal('yes')) }),
}

/** Folders of the server that the service syncs into a Safe: choosing one, running it now, and removing it. */
export default async function keptFolderPages(app: TypedApp) {
  const path = '/safes/:safeId/folders'
  const form = { load: ownSafe, show: showFiles }

  app.post(path, { schema: Keep }, formPage({ ...form, change: keep }))
  app.post(`${path}/sync`, { schema: Named }, formPage({ ...form, change: syncNow }))
  app.post(`${path}/stop`, { schema: Named }, formPage({ ...form, change: stop }))
}

async function keep({ server, params, body, account }: RequestOf<typeof Keep>) {
  await server.keptFolders.keep(account?.id ?? '', params.safeId, body.folder)
  return `/safes/${params.safeId}/files#folders`
}

async function syncNow({ server, params: { safeId }, body, account }: RequestOf<typeof Named>) {
  await server.keptFolders.syncNow(account?.id ?? '', safeId, body.name, body.confirmed === 'yes')
  return `/safes/${safeId}/files#folders`
}

async function stop({ server, params, body, account }: RequestOf<typeof Named>) {
  await server.keptFolders.stop(account?.id ?? '', params.safeId, body.name)
  return `/safes/${params.safeId}/files#folders`
}
