import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { RunFolder } from '../../../domain/safes/uploads/run-folder.js'

t.test('a sync run wants what has not arrived; without its contents it has expired', async t => {
  const path = join(t.testdir(), 'run')
  const folder = new RunFolder(path)
  const expired = { status: 410, code: 'upload_expired' }
  await t.rejects(folder.wanted(), expired)
  await folder.create([], [])
  t.same(await folder.wanted(), [])
  await folder.want(['manifest', 'content'])
  t.same(await folder.wanted(), ['content'])
  await rm(join(path, 'wanted'))
  await t.rejects(folder.wanted(), expired)
})
