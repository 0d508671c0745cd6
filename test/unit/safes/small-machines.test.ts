import t from 'tap'
import { readersFor } from '../../../domain/safes/imports/file-readers.js'
import { buildLimits } from '../../../domain/safes/index/build-process.js'
import { machineMemory } from '../../../platform/processes/child.js'

const GIB = 1024 ** 3

t.test('the limit of a container counts where it is less than the memory of the machine', async t => {
  for (const [constrained, memory] of [
    [GIB / 2, GIB / 2],
    [0, 8 * GIB],
    [2 ** 64, 8 * GIB],
    [16 * GIB, 8 * GIB],
  ] as const)
    t.equal(machineMemory(8 * GIB, constrained), memory, `${constrained}`)
})

t.test('below 2 GB two readers are in memory at most, one works, and 512 MB are enough for both', async t => {
  const small = readersFor(GIB / 2)
  t.equal(small.seats, 2)
  t.notOk(small.besideSlow)
  t.ok(small.seats * small.limits.memoryMb < 400, 'more than 100 MB are left to the service')
  t.match(readersFor(2 * GIB), { seats: 8, besideSlow: true, limits: { memoryMb: 288 } })
})

t.test('building an index takes at most 1.5 GiB, and 60 % of a small machine', async t => {
  t.strictSame(buildLimits(8 * GIB), { heapMb: 1024, memoryMb: 1536 })
  t.strictSame(buildLimits(GIB / 2), { heapMb: 204, memoryMb: 307 })
})
