import pLimit from 'p-limit'
import { DocumentError, readDocument } from '../../oauth/clients/client-document.js'
import { type Finding, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

const MAX = 20
const AT_ONCE = 5
/** A connection ends after 90 days without use. */
const IN_USE_MS = 90 * 86_400_000

/** Whether the documents of connected assistants can be read: a new sign-in needs them (ADR 1). */
export async function checkClients(installation: Installation): Promise<Finding[]> {
  const { database, fetchDocument, clock } = installation
  const db = await database().catch(() => null)
  // The check of the database reports the reason.
  if (!db) return []
  const clients = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    // A range of the primary key. Other ids begin with the brand.
    .where('id', '>=', 'https://')
    .where('id', '<', 'https:0')
    .where('last_used_at', '>', clock() - IN_USE_MS)
    .orderBy('id')
    .limit(MAX)
    .execute()
  const limit = pLimit(AT_ONCE)
  const check = async ({ id, name }: { id: string; name: string }): Promise<Finding[]> => {
    try {
      readDocument(id, (await fetchDocument(id)).json, clock())
      return []
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      return [warning(installationTexts.clients(name, id, error.message))]
    }
  }
  const found = await Promise.all(clients.map(client => limit(check, client)))
  return found.flat()
}
