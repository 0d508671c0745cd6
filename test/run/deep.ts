import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rootDir } from '../../common/package.js'
import { PARTS, type Part } from '../deep/parts.js'
import { coverageFolder, printCoverage } from './coverage.js'
import { testFiles } from './files.js'
import { runPool } from './pool.js'
import type { Report } from './report.js'

/** The parts with these names, all without any. @throws when a name is none of a part's */
export function partsNamed(names: readonly string[]): readonly Part[] {
  if (names.length === 0) return PARTS
  return names.map(name => {
    const part = PARTS.find(candidate => candidate.name === name)
    if (!part) throw new Error(`No part is named ${name}. Parts: ${PARTS.map(each => each.name).join(', ')}`)
    return part
  })
}

/** Runs parts one after the other, those for which there is time. @returns which ran, and in which something failed */
export async function runParts(
  parts: readonly Part[],
  servers: Record<string, string>,
  report: Report,
  isInTime: (part: Part) => boolean = () => true,
): Promise<{ parts: Part[]; red: Part[] }> {
  const ran: Part[] = []
  const red: Part[] = []
  for (const part of parts) {
    if (!isInTime(part)) continue
    ran.push(part)
    report.section(`${part.name}: about ${part.minutes} min`)
    const before = report.failed
    const from = performance.now()
    if (part.packages) await installPackages(part.packages)
    const covered = part.measuresCoverage ? { NODE_V8_COVERAGE: coverageFolder } : {}
    if (part.measuresCoverage) rmSync(coverageFolder, { recursive: true, force: true })
    const files = testFiles(part.files)
    report.expect(files.length)
    await runPool({
      files,
      env: { ...servers, DEEP: '1', ...part.env, ...covered },
      onResult: result => report.add(result),
    })
    const isCovered = !part.measuresCoverage || printCoverage()
    if (report.failed > before || !isCovered) red.push(part)
    report.section(`${part.name}: ${((performance.now() - from) / 60_000).toFixed(1)} min`)
  }
  return { parts: ran, red }
}

async function installPackages(folder: string): Promise<void> {
  const script = pathToFileURL(join(rootDir, 'scripts', 'install-packages.mjs')).href
  const packages: { installPackages(folder: string, ...options: string[]): void } = await import(script)
  packages.installPackages(join(rootDir, folder), '--ignore-scripts')
}
