import { createReadStream } from 'node:fs'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { notFound } from '../../../platform/common/domain-error.js'
import { showTime } from '../../../platform/common/format.js'
import { startsByItself } from '../../../plugins/restore/start-again.js'
import type { Page } from '../../../plugins/views.js'
import { backupsTexts } from '../../../views/texts/backups.js'
import { confirm } from '../account/confirm.js'
import { formPage } from '../form-page.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf, onlyAdmins } from '../signed-in.js'
import { type Backup, contentsOf } from './backups-view.js'

const OfBackup = { params: Type.Object({ name: TextField(100) }) }
/** Without a password, a recent sign-in confirms. */
const Confirmed = { ...OfBackup, body: Type.Object({ password: Type.Optional(Type.String()) }) }
type BackupRequest = RequestOf<typeof Confirmed>

interface BackupContent {
  error?: string
  /** The result of the form: the file, or a page that waits for the service. */
  done?: 'download' | 'restore'
}

/** Interval after which browsers check whether the service is back. */
const AGAIN_SECONDS = 10

/** One backup: its contents, downloading and restoring it. Both need the password, because they reveal or replace everything. */
export default async function backupPages(app: TypedApp) {
  app.addHook('preValidation', onlyAdmins)
  const form = { load: backupOf, show: showBackup }

  app.get('/system/backups/:name', { schema: OfBackup }, async (request, reply) =>
    showBackup(request as BackupRequest, backupOf(request as BackupRequest), reply, {}),
  )
  if (app.config.hasBackupDownload)
    app.post('/system/backups/:name/download', { schema: Confirmed }, formPage({ ...form, change: download }))
  app.post('/system/backups/:name/restore', { schema: Confirmed }, formPage({ ...form, change: restore }))
}

function backupOf({ server, params }: BackupRequest): Backup {
  const backup = server.backups.find(params.name)
  if (!backup) throw notFound('backup')
  return backup
}

async function download(request: BackupRequest, { name }: Backup): Promise<BackupContent> {
  await confirm(request, request.body.password)
  request.log.warn({ backup: name, account: accountOf(request).id }, 'backup downloaded')
  return { done: 'download' }
}

async function restore(request: BackupRequest, backup: Backup): Promise<BackupContent> {
  await confirm(request, request.body.password)
  await request.server.backups.restore(backup)
  request.log.warn({ backup: backup.name, account: accountOf(request).id }, 'restore requested')
  return { done: 'restore' }
}

async function showBackup(
  request: BackupRequest,
  backup: Backup,
  reply: FastifyReply,
  { error, done }: BackupContent,
) {
  if (done === 'download') return sendBackup(backup, reply)
  if (done === 'restore') {
    reply.header('Refresh', `${AGAIN_SECONDS}; url=/system/backups`)
    return reply.page<Page>('backup-restoring', { here: 'system' })
  }
  const { accounts, backups, config } = request.server
  const time = showTime(backup.at)
  return reply.page('backup', {
    here: 'system',
    title: backupsTexts.oneTitle(time),
    contents: contentsOf(backup, await backups.manifestOf(backup)),
    path: `/system/backups/${backup.name}`,
    time,
    hasPassword: await accounts.passwords.has(accountOf(request).id),
    hasDownload: config.hasBackupDownload,
    isAlone: config.databaseUrl === null,
    startsByItself,
    error,
  })
}

/** The name has letters, digits, dashes and dots only, so it needs no quoting (RFC 6266 §4.1). */
function sendBackup({ name, file, bytes }: Backup, reply: FastifyReply) {
  return reply
    .header('Content-Type', 'application/vnd.sqlite3')
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .header('Content-Length', bytes)
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .send(createReadStream(file))
}
