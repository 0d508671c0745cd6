// npm run docs -- man: writes the manual page of the command line. A test checks that it is up to date.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manPage } from '../cli/man-page.js'
import { programForDocs } from '../cli/run.js'

const folder = join(import.meta.dirname, '..', 'deploy', 'man')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'svc.1'), manPage(programForDocs()))
