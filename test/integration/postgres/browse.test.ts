// Looking around in a Safe once more, over Postgres.
process.env.OVER_POSTGRES = '1'
await import('../pages/browse.test.js')
