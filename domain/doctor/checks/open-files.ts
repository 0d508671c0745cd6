import { readFile } from 'node:fs/promises'
import { type Finding, warning } from '../finding.js'
import { installationTexts } from './installation-texts.js'

const ENOUGH = 1024

/** The maximum number of open files of this process. Only Linux has it in a file. */
export async function checkOpenFiles(): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.NaN)
  return limit < ENOUGH ? [warning(installationTexts.openFiles(limit))] : []
}
