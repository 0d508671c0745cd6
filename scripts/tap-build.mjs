// tap is built for the plugins that .taprc names, which takes six seconds: needed once after each `npm ci`.
import { execSync } from 'node:child_process'
import t from 'tap'

if (t.pluginSignature.includes('@tapjs/typescript')) execSync('tap build', { stdio: 'inherit' })
