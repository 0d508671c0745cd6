import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** A small graph: 46 things, 91 relations, 51 passages. */
export const LIGHTHOUSE = new URL('fixtures/lighthouse-cooperative.jsonl', import.meta.url)

/** Creates a Safe with this graph. */
export async function addLighthouse({ safes }: Pick<FastifyInstance, 'safes'>, accountId: string) {
  const safe = await safes.create(accountId, 'Lighthouse cooperative')
  const bytes = createReadStream(LIGHTHOUSE)
  await safes.imports.add(accountId, safe.id, { source: 'lighthouse-cooperative.jsonl', bytes, commit: true })
  return { ...safe, version: safe.version + 1 }
}
