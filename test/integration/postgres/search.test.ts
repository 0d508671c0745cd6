// Searching all Safes once more, over Postgres.
process.env.OVER_POSTGRES = '1'
await import('../pages/search.test.js')
