import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rootDir } from '../../platform/common/package.js'
import { PARTS, type Part } from '../deep/parts.js'
import { coverageFolder, printCoverage } from './coverage.js'
import { testFiles } from './files.js'
import { type Batch, runPool } from './pool.js'
import type { Report } from './report.js'

/** The parts with these names; without names, all. @throws for an unknown name */
export function partsNamed(names: readonly string[]): readonly Part[] {
  if (names.length === 0) return PARTS
  return names.map(name => {
    const part = PARTS.find(candidate => candidate.name === name)
    if (!part) throw new Error(`No part is named ${name}. Parts: ${PARTS.map(each => each.name).join(', ')}`)
    return part
  })
}

/**
 * Runs parts for which there is time: the next begins when a process is free, while the last files of the previous one
 * still run. @returns the parts that ran, and those with a failure
 */
export async function runParts(
  parts: readonly Part[],
  servers: Record<string, string>,
  report: Report,
  isInTime: (part: Part) => boolean = () => true,
): Promise<{ parts: Part[]; red: Part[] }> {
  const installPackages = await loadInstallPackages()
  const ran: Part[] = []
  const red = new Set<Part>()
  const batchOf = (part: Part): Batch => {
    const files = testFiles(part.files)
    let from = 0
    let ended = 0
    return {
      files,
      env: {
        ...servers,
        DEEP: '1',
        ...part.env,
        ...(part.measuresCoverage && { NODE_V8_COVERAGE: coverageFolder }),
      },
      begin() {
        if (!isInTime(part)) return false
        ran.push(part)
        report.section(`${part.name}: about ${part.minutes} min`)
        if (part.packages) installPackages(join(rootDir, part.packages), '--ignore-scripts')
        if (part.measuresCoverage) rmSync(coverageFolder, { recursive: true, force: true })
        from = performance.now()
        report.expect(files.length)
        return true
      },
      onResult(result) {
        report.add({ ...result, file: `${part.name}: ${result.file}` })
        if (result.failed > 0) red.add(part)
        if (++ended === files.length)
          report.section(`${part.name}: ${((performance.now() - from) / 60_000).toFixed(1)} min`)
      },
    }
  }
  await runPool(parts.map(batchOf))
  const measured = ran.find(part => part.measuresCoverage)
  if (measured && !printCoverage()) red.add(measured)
  return { parts: ran, red: [...red] }
}

async function loadInstallPackages(): Promise<(folder: string, ...options: string[]) => void> {
  const script = pathToFileURL(join(rootDir, 'scripts', 'install-packages.mjs')).href
  return (await import(script)).installPackages
}
