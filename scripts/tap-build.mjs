// tap is built for the plugins that .taprc names, which takes six seconds: needed once after each `npm ci`.
import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const built = readFileSync(new URL(import.meta.resolve('@tapjs/test/built')), 'utf8')
if (built.includes('@tapjs/typescript')) execSync('tap build', { stdio: 'inherit' })
