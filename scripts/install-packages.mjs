// Installs the packages of a folder with a package.json of its own, unless they are there:
//   node scripts/install-packages.mjs FOLDER [OPTION OF npm ci …]
import { execFileSync, spawnSync } from 'node:child_process'

/** @param folder with `package.json` and `package-lock.json`, from the root of the project */
export function installPackages(folder, ...options) {
  if (spawnSync('npm', ['ls', '--prefix', folder], { stdio: 'ignore' }).status === 0) return
  execFileSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund', ...options], { stdio: 'inherit' })
}

if (import.meta.filename === process.argv[1]) installPackages(...process.argv.slice(2))
