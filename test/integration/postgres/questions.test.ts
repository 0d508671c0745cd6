// Questions and exports once more, over Postgres.
process.env.OVER_POSTGRES = '1'
await import('../safes/ask.test.js')
await import('../safes/ask-modes.test.js')
await import('../safes/ask-sequence.test.js')
await import('../safes/ask-time.test.js')
await import('../safes/ask-tokens.test.js')
await import('../safes/export.test.js')
