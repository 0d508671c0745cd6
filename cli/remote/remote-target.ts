import type { Answer } from '../../domain/safes/ask/answer.js'
import type { ShownDocument } from '../../domain/safes/documents/shown-document.js'
import type { Question } from '../../domain/safes/safe.js'
import type { SafesPage } from '../../routes/api/safes.js'
import type { Notes } from '../../routes/api/sync-runs.js'
import { CommandError } from '../command.js'
import { allOf, safeNamed } from '../find.js'
import { type ListedSafe, MAX_TOKENS, type SafesLocation, type TargetSafe } from '../target.js'
import type { Api } from './api.js'
import { unreachable } from './network.js'
import { importRemotely } from './remote-import.js'
import { RemoteSync } from './remote-sync.js'

/** Page size of the list of Safes: far more than anybody has. */
const MAX_PAGES = 10_000

/** A server that the person has signed in to. */
export function remoteTarget(
  api: Api,
  machine: () => Promise<string>,
  print: (line: string) => void,
): SafesLocation {
  return {
    safes: email => {
      if (email === undefined) return listed(api)
      throw new CommandError('A server lists the Safes of the account that signed in: leave out --account.')
    },
    async findSafe(idOrName) {
      const where = ` among those that you chose for svc at ${api.server} (to choose others: svc login ${api.server} --again)`
      const safe = await safeNamed(idOrName, listed(api), where)
      return remoteSafe(api, safe, new RemoteSync(api, safe.id, machine, print))
    },
  }
}

async function* listed(api: Api): AsyncGenerator<ListedSafe> {
  const seen = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    if (seen.has(cursor) || seen.size === MAX_PAGES)
      throw new CommandError(`${api.server} lists Safes without end.`)
    seen.add(cursor)
    const query: string = cursor === '' ? '' : `?${new URLSearchParams({ cursor })}`
    const page: SafesPage = await api.json<SafesPage>(`/safes${query}`)
    for (const { id, name, version, created_at, role, ...counts } of page.safes) {
      const { entities, relations, passages, documents } = counts
      const createdAt = Date.parse(created_at)
      yield { id, name, version, createdAt, role, entities, relations, passages, documents }
    }
    cursor = page.next_cursor
  }
}

function remoteSafe(api: Api, { id, name }: ListedSafe, sync: RemoteSync): TargetSafe {
  return {
    id,
    name,
    async *read(wanted) {
      let cursor: string | null = null
      do {
        const json = { ...wanted, max_tokens: MAX_TOKENS, ...(cursor !== null && { cursor }) }
        const page: { document: ShownDocument; next_cursor: string | null } = await api.json(
          `/safes/${id}/ask`,
          {
            method: 'POST',
            json,
          },
        )
        yield page.document
        cursor = page.next_cursor
      } while (cursor !== null)
    },
    async ask({ otherWords, asOf, ...question }: Question) {
      const json = {
        ...question,
        ...(otherWords === undefined ? {} : { other_words: otherWords }),
        ...(asOf === undefined ? {} : { as_of: asOf }),
      }
      const { text: _, ...answer } = await api.json<Answer & { text: string }>(`/safes/${id}/ask`, {
        method: 'POST',
        json,
      })
      return answer
    },
    import: options => importRemotely(api, id, options),
    async undoImport(importId) {
      await api.request(`/safes/${id}/imports/${importId}`, { method: 'DELETE' })
    },
    notesFor: (name, below) =>
      allOf(
        async (after: string | undefined) => {
          const query = new URLSearchParams({ name, in: below, ...(after !== undefined && { after }) })
          return (await api.json<Notes>(`/safes/${id}/notes?${query}`)).notes
        },
        ({ path }) => path,
      ),
    sync: options => sync.sync(options),
    async export(format) {
      const { body } = await api.request(`/safes/${id}/export?${new URLSearchParams({ format })}`, {
        isFile: true,
      })
      return chunksOf(body, api.server)
    },
    async idle() {},
  }
}

/** @throws ServerUnreachable if the file ends too early */
async function* chunksOf(body: ReadableStream<Uint8Array> | null, server: string) {
  try {
    if (body) yield* body
  } catch (error) {
    throw unreachable(server, error)
  }
}
