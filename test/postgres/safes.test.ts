// The Safes domain once more, over Postgres.
process.env.OVER_POSTGRES = '1'
await import('../safes/membership.test.js')
await import('../safes/import.test.js')
await import('../safes/layers.test.js')
await import('../safes/indexes.test.js')
await import('../safes/archive.test.js')
