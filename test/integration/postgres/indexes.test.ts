// Indexes, their thread and their snapshots once more, over Postgres.
process.env.OVER_POSTGRES = '1'
await import('../safes/committed-imports.test.js')
await import('../safes/indexes.test.js')
