// Transpiles the changed sources, in the copy of the repository that Stryker makes.
import { transpile } from '../run/transpile.mjs'

await transpile()
