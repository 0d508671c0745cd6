// Run once after all tests (.taprc): stops what test/setup.ts started.
import { readFileSync, rmSync } from 'node:fs'

const file = new URL('servers.json', import.meta.url)
const { redisPid } = JSON.parse(readFileSync(file, 'utf8'))
process.kill(redisPid)
rmSync(file)
