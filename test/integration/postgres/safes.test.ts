// The Safes domain once more, over Postgres.
process.env.OVER_POSTGRES = '1'
await import('../safes/membership.test.js')
await import('../safes/import.test.js')
await import('../safes/compare.test.js')
await import('../safes/restore.test.js')
await import('../safes/archive.test.js')
