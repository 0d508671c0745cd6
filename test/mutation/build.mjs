// Transpiles the changed sources, in the copy of the repository that Stryker makes.
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { transpile } from '../run/transpile.mjs'

// Stryker links the packages only afterwards.
symlinkSync('../../node_modules', 'node_modules')
const ofDeepTests = 'test/deep/node_modules'
if (existsSync(`../../${ofDeepTests}`)) symlinkSync(`../../../../${ofDeepTests}`, ofDeepTests)
await transpile()
rmSync('node_modules')
