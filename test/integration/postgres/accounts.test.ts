// Accounts, the MCP endpoint and what is stored once more, over Postgres and Redis. Throttles and MCP sessions are in Redis
// alone, as they are without Postgres.
process.env.OVER_POSTGRES = '1'
await import('../accounts/accounts.test.js')
await import('../accounts/removal.test.js')
await import('../mcp/bearer.test.js')
await import('../pages/login.test.js')
await import('../pages/strangers.test.js')
await import('../http/written.test.js')
await import('../http/secrets.test.js')
