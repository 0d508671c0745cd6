import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rootDir } from '../../../platform/common/package.js'
import { binaryOf, files, NEWEST_LTS, npmOf } from './node.js'

/** One line of a Dockerfile, such as `RUN npm ci`. */
interface Instruction {
  name: string
  value: string
}

export type Stage = Instruction[]

/** The stages of a Dockerfile, each without its `FROM`. */
export function stagesOf(dockerfile: string): { from: string; name: string; instructions: Stage }[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  const stages: ReturnType<typeof stagesOf> = []
  for (const line of lines.filter(Boolean)) {
    const [, name = '', value = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
    const [, from = '', , as = ''] = name === 'FROM' ? (/^(\S+)( AS (\S+))?$/.exec(value) ?? []) : []
    if (name === 'FROM') stages.push({ from, name: as, instructions: [] })
    else stages.at(-1)?.instructions.push({ name, value })
  }
  return stages
}

/** Why the steps of a Dockerfile cannot run on this machine, or false. */
export function whyNot(): string | false {
  if (process.getuid?.() !== 0) return 'only root can mount'
  return spawnSync('unshare', ['--mount', 'true']).status === 0 ? false : 'unshare --mount is not permitted'
}

/**
 * The file system of an image, in a folder: the part of `node:24-slim` that the Dockerfile needs. `/usr` and `/etc` are
 * those of this machine, read-only; `/usr/local` has Node and npm, and `/etc/passwd` the user `node`.
 */
const ENTER = `
  root=$1 cache=$2 mode=$3; shift 3
  mount --bind "$root" "$root"
  for folder in usr etc; do mount --bind /$folder "$root/$folder"; mount -o remount,bind,ro "$root/$folder"; done
  mount --bind "$root/.local" "$root/usr/local"
  mount --bind "$root/.passwd" "$root/etc/passwd"
  mount --bind "$root/.group" "$root/etc/group"
  mount --rbind /dev "$root/dev"
  mount --rbind /proc "$root/proc"
  if [ "$mode" = build ]; then mount --bind "$cache" "$root/cache"; exec /usr/sbin/chroot "$root" "$@"; fi
  mount --bind "$root/data" "$root/data"
  mount -o remount,bind,ro "$root/usr/local"
  mount -o remount,bind,ro "$root"
  exec /usr/sbin/chroot --userspec="$mode" "$root" "$@"
`

export class Image {
  readonly root: string
  readonly #cache: string
  env: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' }
  #workdir = '/'
  user = 'root'
  /** The arguments of `CMD` and `HEALTHCHECK … CMD`. */
  command: string[] = []
  healthCheck: string[] = []

  constructor(root: string, cache: string) {
    this.root = root
    this.#cache = cache
    const folders = [
      'usr',
      'etc',
      'dev',
      'proc',
      'tmp',
      'root',
      'cache',
      '.local/bin',
      '.local/lib/node_modules',
    ]
    for (const folder of folders) mkdirSync(join(root, folder), { recursive: true })
    for (const folder of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${folder}`, join(root, folder))
    writeFileSync(join(root, '.passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n')
    writeFileSync(join(root, '.group'), 'root:x:0:\nnode:x:1000:\n')
    cpSync(binaryOf(NEWEST_LTS), join(root, '.local/bin/node'))
    cpSync(npmOf(NEWEST_LTS), join(root, '.local/lib/node_modules/npm'), { recursive: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, '.local/bin/npm'))
  }

  /** Runs the steps of one stage. */
  async make(stage: Stage, stages: ReadonlyMap<string, Image>): Promise<void> {
    for (const { name, value } of stage) {
      if (name === 'ENV')
        for (const assignment of value.split(' ')) {
          const [key = '', text = ''] = assignment.split('=')
          this.env[key] = text
        }
      else if (name === 'WORKDIR') {
        this.#workdir = value
        mkdirSync(join(this.root, value), { recursive: true })
      } else if (name === 'COPY') await this.#copy(value, stages)
      else if (name === 'RUN') this.#run(value)
      else if (name === 'USER') this.user = value
      else if (name === 'CMD') this.command = JSON.parse(value)
      else if (name === 'HEALTHCHECK') this.healthCheck = JSON.parse(value.slice(value.indexOf('CMD ') + 4))
      else if (name !== 'VOLUME' && name !== 'EXPOSE') throw new Error(`${name} is not known here`)
    }
  }

  async #copy(value: string, stages: ReadonlyMap<string, Image>): Promise<void> {
    const [, , from = '', paths = ''] = /^(--from=(\S+) )?(.*)$/.exec(value) ?? []
    const sources = paths.split(' ')
    const target = join(this.root, this.#workdir, sources.pop() ?? '')
    const source = stages.get(from)
    if (source) {
      for (const path of sources)
        cpSync(
          join(source.root, path),
          path.endsWith('.json') ? join(target, path.split('/').at(-1) ?? '') : target,
          { recursive: true, verbatimSymlinks: true },
        )
      return
    }
    for (const file of await context())
      if (sources.includes('.') || sources.includes(file)) cpSync(join(rootDir, file), join(target, file))
  }

  #run(command: string): void {
    const { status, stdout, stderr } = spawnSync('unshare', this.#enter('build', ['sh', '-c', command]), {
      env: { ...npmSettings(), ...this.env },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`)
    this.printed += stdout + stderr
  }

  /** All that its steps printed. */
  printed = ''

  /** Starts a program as the user of the image, on a read-only file system apart from `/data`. */
  start(args: string[], env: Record<string, string>) {
    const user = this.user === 'node' ? '1000:1000' : this.user
    return spawn('unshare', this.#enter(user, args), { env: { ...this.env, ...env } })
  }

  #enter(mode: string, args: string[]): string[] {
    // tap makes each of its child processes load modules that this file system does not have.
    const inside = ['env', '-u', 'NODE_OPTIONS', '-C', this.#workdir, ...args]
    return ['--mount', 'sh', '-ec', ENTER, 'sh', this.root, this.#cache, mode, ...inside]
  }
}

/** The files that `docker build` would send: all but those of `.dockerignore`. */
async function context(): Promise<string[]> {
  const ignored = readFileSync(join(rootDir, '.dockerignore'), 'utf8').split('\n')
  return (await files()).filter(file => !ignored.includes(file.split('/')[0] ?? ''))
}

let settings: Record<string, string> | null = null

/** The way to the registry from this machine. */
function npmSettings(): Record<string, string> {
  settings ??= JSON.parse(spawnSync('npm', ['config', 'list', '--json'], { encoding: 'utf8' }).stdout)
  const kept = ['registry', 'cafile', 'https-proxy', 'noproxy'].flatMap(name => {
    const value = settings?.[name]
    return value ? [[`npm_config_${name.replace('-', '_')}`, String(value)]] : []
  })
  return { ...Object.fromEntries(kept), npm_config_cache: '/cache', npm_config_prefer_offline: 'true' }
}

/** The folder in which npm keeps its downloads. */
export const npmCache = (): string =>
  spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8', cwd: dirname(rootDir) }).stdout.trim()
