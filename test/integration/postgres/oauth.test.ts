// The flows of OAuth once more, over Postgres and Redis.
process.env.OVER_POSTGRES = '1'
await import('../oauth/register.test.js')
await import('../oauth/authorize.test.js')
await import('../oauth/consent.test.js')
await import('../oauth/code-grant.test.js')
await import('../oauth/refresh-grant.test.js')
await import('../oauth/revoke.test.js')
await import('../oauth/connections.test.js')
await import('../oauth/issue-tokens.test.js')
await import('../oauth/client-document-flow.test.js')
