// Runs once after all tests (.taprc): stops the servers started by test/setup.ts.
import { readFileSync, rmSync } from 'node:fs'

const file = new URL('servers.json', import.meta.url)
const { redisPid, postgresPid, postgresFolder, builtFolder } = JSON.parse(readFileSync(file, 'utf8'))
process.kill(redisPid)
process.kill(postgresPid, 'SIGINT')
while (isRunning(postgresPid)) await new Promise(resolve => setTimeout(resolve, 50))
for (const folder of [postgresFolder, builtFolder]) rmSync(folder, { recursive: true, force: true })
rmSync(file)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
