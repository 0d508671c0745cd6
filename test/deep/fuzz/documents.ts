import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DocumentError } from '../../../domain/oauth/clients/client-document.js'
import type { FetchDocument } from '../../../domain/oauth/clients/document-fetch.js'
import { rootDir } from '../../../platform/common/package.js'

const CLIENT = 'https://client-documents.dev/client.json'

const good = {
  client_id: CLIENT,
  client_name: '<svc-fuzz> "svc-fuzz=',
  redirect_uris: ['https://client-documents.dev/cb'],
}

/** Client metadata documents of the outside world (RULES D): a good one, and the worst possible others. */
const DOCUMENTS: Record<string, unknown> = {
  [CLIENT]: good,
  'https://client-documents.dev/other': good,
  'https://client-documents.dev/null': null,
  'https://client-documents.dev/list': [good],
  'https://client-documents.dev/odd': {
    client_id: 'https://client-documents.dev/odd',
    client_name: { toString: '{{7919*7907}}' },
    redirect_uris: [
      'javascript:svc-fuzz',
      'https://svc-fuzz.example/cb#',
      { length: 3 },
      '\r\nX-Svc-Fuzz: 1',
    ],
    client_secret: 'svc-fuzz',
  },
}

export const documentIds = Object.keys(DOCUMENTS)

/** The fuzz run makes no requests to the network. */
export const fetchDocument: FetchDocument = async id => {
  if (!(id in DOCUMENTS)) throw new DocumentError('there is nothing at that address')
  return { json: structuredClone(DOCUMENTS[id]), freshForSeconds: null }
}

/** Callbacks of clients with documents, including the documents that ship with the service. */
export function documentedRedirects(): [clientId: string, redirectUris: readonly string[]][] {
  const folder = join(rootDir, 'domain', 'oauth', 'clients', 'known')
  const shipped = readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  return [good, ...shipped].map(document => [document.client_id, document.redirect_uris])
}
