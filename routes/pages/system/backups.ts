import { setTimeout as pause } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { backupsTexts } from '../../../views/texts/backups.js'
import { formPage } from '../form-page.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf, onlyAdmins } from '../signed-in.js'
import { backupRow, lastRestoreOf, scheduleOf } from './backups-view.js'
import { bucketOf } from './bucket-view.js'

const Bring = { params: Type.Object({ name: TextField(100) }) }

/** A backup that takes longer is finished while the page is shown. */
const AT_ONCE_MS = 3000
/** Interval after which the page of an unfinished backup is loaded again. */
const AGAIN_SECONDS = 3

/** The backups of this service, for administrators. */
export default async function backupsPages(app: TypedApp) {
  app.addHook('preValidation', onlyAdmins)
  const form = { load: () => null, show: showBackups }

  app.get('/system/backups', (request, reply) => showBackups(request, null, reply, {}))
  app.post('/system/backups/make', formPage({ ...form, change: make }))
  app.post('/system/backups/:name/bring', { schema: Bring }, formPage({ ...form, change: bring }))
}

async function make(request: FastifyRequest, _subject: null, reply: FastifyReply) {
  const { backups, log } = request.server
  const made = backups.make()
  made.then(
    file => log.info({ file, account: accountOf(request).id }, 'backup made'),
    err => log.error({ err }, 'backup failed'),
  )
  const isMade = await Promise.race([made.then(() => true), pause(AT_ONCE_MS, false, { ref: false })])
  if (isMade) reply.says({ text: backupsTexts.made })
  return '/system/backups'
}

/** Downloads a backup that is only in the bucket. */
async function bring({ server, params }: RequestOf<typeof Bring>, _subject: null, reply: FastifyReply) {
  await server.backups.bring(params.name)
  reply.says({ text: backupsTexts.brought })
  return `/system/backups/${params.name}`
}

async function showBackups(
  { server }: FastifyRequest,
  _subject: null,
  reply: FastifyReply,
  { error }: { error?: string },
) {
  const { backups, config } = server
  if (backups.isMaking) reply.header('Refresh', AGAIN_SECONDS)
  const list = backups.list()
  return reply.page('backups', {
    here: 'system',
    schedule: config.backups ? scheduleOf(config.backups, list, Date.now()) : [],
    isMaking: backups.isMaking,
    backups: list.map(backupRow),
    bucket: await bucketOf(server, list),
    last: lastRestoreOf(backups.lastRestore()),
    error,
  })
}
