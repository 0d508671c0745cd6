import type { FastifyInstance } from 'fastify'
import { hashSecret } from '../../../platform/common/secrets.js'
import { stored } from '../../written.js'

/**
 * The rows and keys for any of these ids and secrets. Text columns are skipped: anybody may write somebody else's id
 * there.
 */
export async function rowsOf(app: FastifyInstance, values: string[]): Promise<string[]> {
  const marks = [...values, ...values.map(hashSecret)].filter(mark => mark.length > 20)
  const isFor = (row: object) =>
    Object.entries(row).some(
      ([column, value]) => /(?:^|_)(?:id|hash|by)$/.test(column) && marks.includes(value),
    )
  const found = Object.entries(await stored(app)).flatMap(([name, content]) => {
    // Failed attempts at an account, such as wrong passwords, are recorded for it.
    if (name === 'activity') return []
    if (Array.isArray(content)) return content.filter(isFor).map(row => `${name} ${JSON.stringify(row)}`)
    return marks.some(mark => name.includes(mark)) ? [`${name} ${content}`] : []
  })
  return found.sort()
}
