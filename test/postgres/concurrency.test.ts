// Two processes at once, over Postgres and Redis.
process.env.OVER_POSTGRES = '1'
await import('../concurrency/code.test.js')
await import('../concurrency/consent.test.js')
await import('../concurrency/refresh.test.js')
await import('../concurrency/revocation.test.js')
