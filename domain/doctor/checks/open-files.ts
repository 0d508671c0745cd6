import { readFile } from 'node:fs/promises'
import { type Finding, warning } from '../finding.js'
import { installationTexts } from './installation-texts.js'

const ENOUGH = 1024

/** How many files this process may have open. Only Linux says so in a file. */
export async function checkOpenFiles(): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.NaN)
  return limit < ENOUGH ? [warning(installationTexts.openFiles(limit))] : []
}
