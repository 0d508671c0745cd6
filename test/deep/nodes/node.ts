import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { rootDir } from '../../../platform/common/package.js'

/** A Node release: the binary, and the npm that comes with it (`test/deep/nodes/package.json`). */
export interface NodeVersion {
  major: number
  npm: 10 | 11
}

export const NEWEST_LTS: NodeVersion = { major: 24, npm: 11 }
/** From the oldest supported version to the newest. */
export const NODES: readonly NodeVersion[] = [
  { major: 20, npm: 10 },
  { major: 22, npm: 10 },
  NEWEST_LTS,
  { major: 26, npm: 11 },
]

/** A clone of this working tree, installed by one Node as a newcomer does. */
export interface Installation {
  folder: string
  /** All that `npm ci` printed. */
  printed: string
  run(args: string[], options?: RunOptions): Promise<Ran>
  /** Starts a program and leaves it running. */
  start(args: string[], env: Record<string, string>): ReturnType<typeof spawn>
}

interface RunOptions {
  env?: Record<string, string>
  input?: string
}

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** A warning of Node or npm, except those about the settings of the user who runs this. */
export const WARNING = /^(?!.*Unknown \w+ config).*(warn|deprecat|experimental|EBADENGINE).*$/im

const packages = fileURLToPath(new URL('node_modules', import.meta.url))
export const npmOf = ({ npm }: NodeVersion) => join(packages, `npm-${npm}`)
export const binaryOf = ({ major }: NodeVersion) => join(packages, `node-${major}`, 'bin', 'node')

/** A registry that does not answer is tried again after half a minute instead of npm's five. */
const INSTALL = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-timeout=30000']
/** A command without output for longer hangs, and is ended so that its output so far is shown. */
const SILENCE_MS = 5 * 60_000

/** `npm ci` in a copy of all files that git tracks or would add. */
export async function install(t: Test, version: NodeVersion): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), `svc-node-${version.major}-`))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  for (const file of await files()) cpSync(join(rootDir, file), join(folder, file))
  const node = binaryOf(version)
  const run = (args: string[], options: RunOptions = {}) => ran(node, args, folder, options)
  const npm = join(npmOf(version), 'bin', 'npm-cli.js')
  const { code, stdout, stderr } = await run([npm, 'ci', ...INSTALL])
  if (code !== 0) throw new Error(`npm ci ended with ${code}:\n${stdout}${stderr}`)
  const start = (args: string[], env: Record<string, string>) =>
    spawn(node, args, { cwd: folder, env: { ...surroundings(node), ...env } })
  return { folder, printed: stdout + stderr, run, start }
}

/** `npm install -g` of a packed service, into a folder of its own. */
export async function installPackage(t: Test, version: NodeVersion, file: string): Promise<Installation> {
  const prefix = mkdtempSync(join(tmpdir(), `svc-package-${version.major}-`))
  t.teardown(() => rm(prefix, { recursive: true, force: true }))
  const node = binaryOf(version)
  const npm = join(npmOf(version), 'bin', 'npm-cli.js')
  const { code, stdout, stderr } = await ran(
    node,
    [npm, 'install', '-g', '--prefix', prefix, ...INSTALL, file],
    prefix,
    {},
  )
  if (code !== 0) throw new Error(`npm install -g ended with ${code}:\n${stdout}${stderr}`)
  const folder = join(prefix, 'lib', 'node_modules', 'svc')
  const run = (args: string[], given: RunOptions = {}) => ran(node, args, folder, given)
  const start = (args: string[], env: Record<string, string>) =>
    spawn(node, args, { cwd: folder, env: { ...surroundings(node), ...env } })
  return { folder, printed: stdout + stderr, run, start }
}

/** Packs the service of an installation, as `npm pack` does. @returns the path of the file */
export async function pack({ folder, run }: Installation, version: NodeVersion): Promise<string> {
  const npm = join(npmOf(version), 'bin', 'npm-cli.js')
  const { code, stdout, stderr } = await run([npm, 'pack', '--json'])
  if (code !== 0) throw new Error(`npm pack ended with ${code}:\n${stdout}${stderr}`)
  return join(folder, JSON.parse(stdout.slice(stdout.indexOf('[\n')))[0].filename)
}

/** All files that git tracks or would add. */
export async function files(): Promise<string[]> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await ran('git', list, rootDir, {})
  const deleted = await ran('git', ['ls-files', '-z', '--deleted'], rootDir, {})
  const removed = new Set(deleted.stdout.split('\0'))
  return stdout.split('\0').filter(file => file !== '' && !removed.has(file))
}

async function ran(command: string, args: string[], cwd: string, options: RunOptions): Promise<Ran> {
  const env = { ...surroundings(command), ...options.env }
  const child = spawn(command, args, { cwd, env })
  const hangs = setTimeout(() => child.kill(), SILENCE_MS)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', () => hangs.refresh())
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(hangs)
  return { code, stdout: stdout(), stderr: stderr() }
}

/** Returns everything read so far. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.on('data', chunk => {
    text += chunk
  })
  return () => text
}

const OF_THE_TESTS =
  /^(npm_(?!config_(registry|cache|userconfig)$)|TAP|_TAPJS|NODE_(?!EXTRA_CA_CERTS$)|INIT_CWD$|CI$)/i

/**
 * The environment of a person's shell: this Node first, and nothing of the npm or tap that runs the tests. If the
 * registry is behind a proxy with its own certificate, npm would otherwise retry each package for minutes.
 */
function surroundings(node: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !OF_THE_TESTS.test(name))
  const env = Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
  return { ...env, PATH: `${dirname(node)}:${process.env.PATH}` }
}
