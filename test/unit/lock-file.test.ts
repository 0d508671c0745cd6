import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rootDir } from '../../platform/common/package.js'

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  /** Part of the surrounding package, and of its integrity. */
  inBundle?: boolean
  deprecated?: string
  hasInstallScript?: boolean
}

/** Packages of this repository, which npm links. */
const OWN = ['test/run/tap-command', 'node_modules/@tapjs/run']

/** Packages with a script that `npm ci` would run; none of them needs it (`allowScripts` in package.json). */
const SCRIPTS = ['@photostructure/sqlite', 'esbuild']

for (const folder of ['.', 'bench', 'test/deep', 'test/deep/clients', 'test/deep/nodes', 'test/mutation']) {
  t.test(`the lock file of ${folder} names one content for every package, from the npm registry`, async t => {
    const { packages } = JSON.parse(readFileSync(join(rootDir, folder, 'package-lock.json'), 'utf8'))
    const locked = Object.entries(packages as Record<string, Locked>).filter(
      ([path, { inBundle }]) => path !== '' && !inBundle && !OWN.includes(path),
    )
    t.ok(locked.length > 4)
    const wrong = locked.filter(
      ([, { version, resolved, integrity, link }]) =>
        link ||
        !version ||
        !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ||
        !(resolved ?? 'https://registry.npmjs.org/').startsWith('https://registry.npmjs.org/'),
    )
    t.strictSame(wrong, [])
    const deprecated = locked.filter(([, { deprecated }]) => folder === '.' && deprecated)
    t.strictSame(deprecated, [], 'npm ci would warn of these')
    const scripts = locked.filter(([, { hasInstallScript }]) => folder === '.' && hasInstallScript)
    for (const [path] of scripts) t.ok(SCRIPTS.includes(path.replace(/.*node_modules\//, '')), path)
  })
}
