import type { ReadableSafe } from '../domain/safes/safe.js'
import { readableSafes } from './active-safe.js'
import type { Domain, RequestContext } from './context.js'
import { CODES, type Result, RpcError } from './json-rpc.js'
import { findSafe } from './named-safe.js'
import { isPrompt } from './prompts.js'
import { uriTemplate } from './resource-uri.js'
import { isObject } from './revisions/envelope.js'

/** Maximum Safes searched for names. */
const MAX_SAFES = 100
/** Maximum Safes searched for paths if none is named. */
const MAX_SEARCHED = 20
const MAX_VALUES = 100
const MAX_WORDS = 8

type Params = Record<string, unknown> | undefined

/** Values for the variables of the template of documents, and for arguments of prompts (RULES R4). @throws RpcError for other references */
export async function complete(
  brand: string,
  params: Params,
  context: RequestContext,
  safes: Domain['safes'],
): Promise<Result> {
  const { ref, argument, context: known } = params ?? {}
  const template = uriTemplate(brand)
  const isResource = isObject(ref) && ref.type === 'ref/resource' && ref.uri === template
  if (!(isResource || isPrompt(ref)) || !isObject(argument))
    throw new RpcError(
      CODES.invalidParams,
      `Only the variables of ${template} and the arguments of prompts can be completed.`,
    )
  const { name, value } = argument
  if (typeof value !== 'string') throw new RpcError(CODES.invalidParams, '"value" must be a string.')
  if (name === 'safe') return completion(await safeNames(value, context, safes))
  if (name !== 'path' && !isResource) return completion([])
  if (name !== 'path') throw new RpcError(CODES.invalidParams, 'The variables are "safe" and "path".')
  const found: string[] = []
  for (const safeId of await safesOf(known, context, safes)) {
    found.push(...(await paths(value, safeId, context, safes)))
    if (found.length > MAX_VALUES) break
  }
  return completion([...new Set(found)])
}

const completion = (values: readonly string[]): Result => ({
  completion: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES },
})

/** Names, and ids if several Safes have the same name. */
async function safeNames(value: string, context: RequestContext, safes: Domain['safes']): Promise<string[]> {
  const all = await readableSafes(context, safes, { limit: MAX_SAFES, patienceMs: 0 })
  const count = countsOf(all)
  return all
    .filter(({ id, name }) => id.startsWith(value) || name.toLowerCase().includes(value.toLowerCase()))
    .map(({ id, name }) => (count.get(name.toLowerCase()) === 1 ? name : id))
}

function countsOf(all: readonly ReadableSafe[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of all) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1)
  return counts
}

/** The Safe completed before, or all that the connection may read. */
async function safesOf(known: unknown, context: RequestContext, safes: Domain['safes']): Promise<string[]> {
  const given = isObject(known) && isObject(known.arguments) ? known.arguments.safe : undefined
  if (typeof given !== 'string') {
    return (await readableSafes(context, safes, { limit: MAX_SEARCHED, patienceMs: 0 })).map(({ id }) => id)
  }
  const safe = await findSafe(context, safes, given)
  return safe ? [safe.id] : []
}

async function paths(
  value: string,
  safeId: string,
  context: RequestContext,
  safes: Domain['safes'],
): Promise<string[]> {
  const words = value.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  const limit = MAX_VALUES + 1
  const found = await safes.documents.list(context.access.accountId, safeId, { words, limit })
  return found.map(({ path }) => path)
}
