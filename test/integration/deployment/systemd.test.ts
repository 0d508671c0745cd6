import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { SettingsSchema } from '../../../plugins/config/settings.js'

const folder = join(rootDir, 'deploy')
const unit = readFileSync(join(folder, 'svc.service'), 'utf8')
const stores = readFileSync(join(folder, 'svc.service.d', 'stores.conf'), 'utf8')
const valuesOf = (name: string, text = unit) =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

t.test('the unit sets only settings that exist, and passes secrets as credentials', async t => {
  const settings: Record<string, { secret?: true } | TSchema> = SettingsSchema.properties
  for (const line of [...valuesOf('Environment'), ...valuesOf('Environment', stores)])
    for (const assignment of line.split(' ')) {
      const [name = '', value = ''] = assignment.split('=')
      if (name === 'NODE_ENV') continue
      const isFile = name.endsWith('_FILE')
      t.ok(settings[name.replace(/_FILE$/, '')], name)
      t.equal(settings[name.replace(/_FILE$/, '')]?.secret ?? false, isFile, name)
      if (isFile) t.ok(stores.includes(`LoadCredential=${value.replace('%d/', '')}:/etc/svc/`), value)
    }
  t.strictSame(valuesOf('StateDirectory'), ['svc'])
})

t.test('it does not kill the service while requests are finished, and lets V8 compile', async t => {
  const [grace = ''] =
    /closeWithGrace\(\{ delay: (\d+_\d+)/.exec(readFileSync(join(rootDir, 'server.ts'), 'utf8'))?.slice(1) ??
    []
  t.ok(Number(valuesOf('TimeoutStopSec')[0]) * 1000 > Number(grace.replace('_', '')), grace)
  t.strictSame(valuesOf('MemoryDenyWriteExecute'), [])
})

const skip =
  spawnSync('systemd-analyze', ['--version']).status === 0 ? false : 'systemd-analyze is not installed'
t.test('systemd accepts the unit with its drop-in, and finds it confined', { skip }, async t => {
  const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` }
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, 'svc.service')], { env })
  t.equal(verified.status, 0)
  t.equal(`${verified.stdout}${verified.stderr}`, '')
  const options = ['security', '--offline=true', '--no-pager', '--threshold=20', join(folder, 'svc.service')]
  const rated = spawnSync('systemd-analyze', options, { env })
  t.match(`${rated.stdout}`, /Overall exposure level for svc\.service: /)
  t.equal(rated.status, 0, 'an exposure level below 2.0 of 10')
})
