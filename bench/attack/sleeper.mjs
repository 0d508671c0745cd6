// The control of an experiment: a process that only sleeps. If it wakes late, the machine had no time for anybody, and
// what an attack did to the service cannot be told. Started by run.ts; tells on demand by how much it woke late at most.
const EVERY_MS = 5

let wokeAt = performance.now()
let latest = 0
setInterval(() => {
  const now = performance.now()
  latest = Math.max(latest, now - wokeAt - EVERY_MS)
  wokeAt = now
}, EVERY_MS)
process.on('message', () => {
  process.send(latest)
  latest = 0
})
process.on('disconnect', () => process.exit())
