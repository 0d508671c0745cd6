import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../../../platform/common/package.js'
import type { Client } from './client.js'
import { readDocument } from './client-document.js'

const FOLDER = join(rootDir, 'domain', 'oauth', 'clients', 'known')

/** The client documents of known assistants that are bundled with this version, by id (`domain/oauth/clients/known/README.md`). */
export function readKnownClients(now: number): Map<string, Client> {
  const files = readdirSync(FOLDER).filter(file => file.endsWith('.json'))
  const documents = files.map(file => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')))
  return new Map(
    documents.map(document => [document.client_id, readDocument(document.client_id, document, now)]),
  )
}
