import type { Test } from 'tap'
import { startServer } from '../../built-server.js'
import { build, type SetUp } from '../../helper.js'
import { assistantOf, BASE } from '../../integration/oauth/assistant.js'
import { builtFolder } from '../../servers.js'
import { Visitor } from './visitor.js'

/** Stores with Ann's account, her assistant and an empty Safe. No process has them open. */
export async function seeded(t: Test, setUp: SetUp) {
  const app = await build(t, { setUp })
  const { assistant, id: owner } = await assistantOf(app)
  const safe = await app.safes.create(owner, 'Safe')
  const pair = await assistant.connect()
  await app.close()
  const { dataDir, databaseUrl, redisUrl } = app.config
  const stores = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', REDIS_URL: redisUrl ?? '' }
  const files = await builtFolder()
  /** Starts the built service on them. */
  const start = (more: Record<string, string> = {}) =>
    startServer(t, files, { ...stores, BASE_URL: BASE, ...more })
  return { config: app.config, owner, safeId: safe.id, pair, visitor: new Visitor(assistant), start }
}
