import type { ReadableSafe } from '../domain/safes/safe.js'
import { findReadable, readableSafes, withActiveSafe } from './active-safe.js'
import type { Domain, RequestContext } from './context.js'
import { CODES, type Result, RpcError } from './json-rpc.js'
import { uriTemplate } from './resource-uri.js'
import { namedSafe } from './resources.js'
import { isObject } from './revisions/envelope.js'

/** Safes among which names are looked for, and values of a completion. */
const MOST_SAFES = 100
const MOST_VALUES = 100
const MOST_WORDS = 8

type Params = Record<string, unknown> | undefined

/** Values for the variables of the template of documents (RULES R4). @throws RpcError for any other */
export async function complete(
  brand: string,
  params: Params,
  context: RequestContext,
  safes: Domain['safes'],
): Promise<Result> {
  const { ref, argument, context: known } = params ?? {}
  const template = uriTemplate(brand)
  if (!isObject(ref) || ref.type !== 'ref/resource' || ref.uri !== template || !isObject(argument))
    throw new RpcError(CODES.invalidParams, `Only the variables of ${template} can be completed.`)
  const { name, value } = argument
  if (typeof value !== 'string') throw new RpcError(CODES.invalidParams, '"value" must be a string.')
  if (name === 'safe') return completion(await safeIds(value, context, safes))
  if (name !== 'path') throw new RpcError(CODES.invalidParams, 'The variables are "safe" and "path".')
  const safeId = await safeOf(known, context, safes)
  return completion(safeId === null ? [] : await paths(value, safeId, context, safes))
}

const completion = (values: readonly string[]): Result => ({
  completion: { values: values.slice(0, MOST_VALUES), hasMore: values.length > MOST_VALUES },
})

async function safeIds(value: string, context: RequestContext, safes: Domain['safes']): Promise<string[]> {
  const all = await readableSafes(context, safes, { limit: MOST_SAFES })
  const isMeant = (safe: ReadableSafe) =>
    safe.id.startsWith(value) || safe.name.toLowerCase().includes(value.toLowerCase())
  return all.filter(isMeant).map(({ id }) => id)
}

/** The Safe that was completed before, or the active one. */
async function safeOf(
  known: unknown,
  context: RequestContext,
  safes: Domain['safes'],
): Promise<string | null> {
  const given = isObject(known) && isObject(known.arguments) ? known.arguments.safe : undefined
  if (typeof given === 'string') return namedSafe(given, context, safes)
  return withActiveSafe(context, safes, async id => (await findReadable(context, safes, id))?.id ?? null)
}

async function paths(
  value: string,
  safeId: string,
  context: RequestContext,
  safes: Domain['safes'],
): Promise<string[]> {
  const words = value.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  const limit = MOST_VALUES + 1
  const found = await safes.documents.list(context.access.accountId, safeId, { words, limit })
  return found.map(({ path }) => path)
}
