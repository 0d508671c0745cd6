// Fetches the Markdown of the vaults of sets/*.json into node_modules/.cache/svc-bench-vaults, as far as it is not there:
// from GitHub, or from BENCH_MIRRORS where that has a folder `owner+name` with a git directory in it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/svc-bench-vaults')
mkdirSync(cache, { recursive: true })
for (const file of readdirSync(join(import.meta.dirname, 'sets'))) {
  const set = JSON.parse(readFileSync(join(import.meta.dirname, 'sets', file), 'utf8'))
  const kept = join(cache, `${set.vault}-${set.commit}`)
  if (existsSync(kept)) continue
  const partial = mkdtempSync(join(cache, 'partial-'))
  extract(set, partial)
  renameSync(partial, kept)
}

function extract({ repository, commit, folder, only = [''] }, into) {
  const cloned = join(into, '.git')
  const dir = mirrorOf(repository) ?? cloned
  const git = (...args) => execFileSync('git', ['--git-dir', dir, ...args], { maxBuffer: 1e9 })
  if (dir === cloned) {
    git('init', '--quiet', '--bare')
    git('fetch', '--quiet', '--depth=1', `https://github.com/${repository}`, commit)
  }
  // A mirror can lack large files, so that only notes are asked for. A pattern that matches nothing is an error.
  const names = git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', commit)
    .toString()
    .split('\n')
  const patterns = only.flatMap(part => {
    const inside = join(folder, part, '/').replace(/^\//, '')
    const ends = ['md', 'mdx'].filter(end =>
      names.some(name => name.startsWith(inside) && name.endsWith(`.${end}`)),
    )
    return ends.map(end => `:(glob)${inside}**/*.${end}`)
  })
  execFileSync('tar', ['-x', '-C', into], { input: git('archive', commit, ...patterns) })
  rmSync(cloned, { recursive: true, force: true })
}

function mirrorOf(repository) {
  const folder = join(process.env.BENCH_MIRRORS ?? '', repository.replace('/', '+'))
  if (!process.env.BENCH_MIRRORS || !existsSync(folder)) return null
  const name = readdirSync(folder).find(name => existsSync(join(folder, name, 'HEAD')))
  return name === undefined ? null : join(folder, name)
}
