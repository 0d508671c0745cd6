// The thread that opens indexes, on a machine with so little memory that no process can build one.
process.constrainedMemory = () => 50 * 1024 ** 2
await import('../../../domain/safes/index/index-worker.js')
