import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { runHere } from './svc.js'
import { openInstallation } from './vault.js'

t.test('svc reads a folder of notes and writes it out again (DESIGN §5.12)', async t => {
  const { place, svc } = await openInstallation(t)
  const vault = join(place, 'vault')
  cpSync(join(rootDir, 'test', 'fixtures', 'vault'), vault, { recursive: true })
  mkdirSync(join(vault, '.obsidian'))
  writeFileSync(join(vault, '.obsidian', 'app.md'), 'hidden')

  t.match(await svc('safe', 'import', 'Notes', vault), { code: 0, stdout: '1\n' })
  const again = await svc('safe', 'import', 'Notes', vault)
  t.match(again, { code: 0, stdout: '1\n', stderr: /already contains this file/ })

  const exports = new Map<string, string>()
  for (const format of ['jsonl', 'ntriples', 'csv']) {
    const { code, stdout, stderr } = await svc('safe', 'export', 'Notes', '--format', format)
    t.match({ code, stderr }, { code: 0, stderr: '' })
    exports.set(format, stdout)
  }
  await svc('safe', 'add', 'Copy', '--owner', 'ann@a.example')
  const copied = await runHere(place, ['safe', 'import', 'Copy', '-', '--format', 'csv'], exports.get('csv'))
  t.match(copied, { code: 0 })
  const copy = await svc('safe', 'export', 'Copy', '--format', 'jsonl')
  t.equal(copy.stdout, exports.get('jsonl'))

  const notes = join(place, 'notes')
  const options = ['safe', 'export', 'Notes', '--format', 'markdown', '-o']
  t.match(await svc(...options, `${notes}/`), { code: 0, stdout: '', stderr: /Wrote \d+ files to/ })
  for (const path of readdirSync(notes, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.md')) t.same(readFileSync(join(notes, path)), readFileSync(join(vault, path)), path)
  t.match(await svc(...options, notes), { code: 1, stderr: /not empty. Nothing was written/ })
  t.match(await svc(...options, join(place, 'notes.zip')), { code: 0, stdout: '' })
  t.equal(readFileSync(join(place, 'notes.zip')).subarray(0, 2).toString(), 'PK')
  const elsewhere = await svc('safe', 'export', 'Notes', '--format', 'csv', '-o', join(notes, 'x/'))
  t.match(elsewhere, { code: 1, stderr: /Only markdown/ })

  symlinkSync('/etc/hosts', join(vault, 'hosts.md'))
  t.match(await svc('safe', 'import', 'Notes', vault), {
    code: 0,
    stdout: '1\n',
    stderr: /1 symbolic link\.\n.*already contains this file/s,
  })
  t.match(await svc('safe', 'export', 'Notes'), {
    code: 2,
    stdout: '',
    stderr: /--format <format>' not specified/,
  })
  t.match(await svc('safe', 'export', 'Notes', '--format', 'x'), {
    code: 1,
    stdout: '',
    stderr: /no export format/,
  })
})
