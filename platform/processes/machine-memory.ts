import { totalmem } from 'node:os'

/** Bytes of memory that this process and its children may use: the machine's, or the limit of its container (cgroup). */
export function machineMemory(total = totalmem(), constrained = process.constrainedMemory()): number {
  // 0 or an impossibly large number: no limit.
  return constrained > 0 ? Math.min(total, constrained) : total
}
