// tap follows every promise, timer and socket with an async hook, to find the test of a stray error. That costs a fifth
// of a run. Without the hook a stray error ends the process, and the runner reports the file.
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

const { createHook } = hooks
hooks.createHook = () => createHook({})
syncBuiltinESMExports()
