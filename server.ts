import './platform/common/node-version.js'

await import('./serve.js')
