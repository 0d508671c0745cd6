import { type Static, Type } from '@sinclair/typebox'
import { quoted } from '../../domain/safes/ask/one-line.js'
import { estimateTokens } from '../../domain/safes/ask/tokens.js'
import type { ReadableSafe } from '../../domain/safes/safe.js'
import { findReadable, readableSafes, singleSafe, withActiveSafe } from '../active-safe.js'
import type { RequestContext } from '../context.js'
import { stringEnum } from '../string-enum.js'
import { defineTool, Hints, READ_ONLY, TextOrNull, ToolError } from '../tool.js'
import type { ToolNames } from './names.js'

const PAGE = 100
/** The token limit for data and text together, minus the text around the list (RULES X10). */
const PAGE_TOKENS = 20_000 - 300

const ListedSafe = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: stringEnum(['owner', 'reader']),
  active: Type.Boolean({ description: 'Whether questions that name no Safe go to this one.' }),
  entities: Type.Integer(),
  relations: Type.Integer(),
  passages: Type.Integer(),
  documents: Type.Integer(),
})

const Output = Type.Object({
  safes: Type.Array(ListedSafe),
  next_cursor: TextOrNull,
  hints: Hints,
})

type Listed = Static<typeof ListedSafe>

/** Lists the Safes that the connection may read, page by page. */
export const listSafes = (names: ToolNames) =>
  defineTool({
    name: names.list,
    title: 'List Safes',
    description: [
      'Lists the Safes that this connection may read: id, name, size, which one is active. A Safe is a knowledge graph of what the user has stored.',
      `Call it when you do not know which Safe to ask, or when ${names.query} says that none is selected; then call ${names.select}.`,
    ].join(' '),
    annotations: READ_ONLY,
    input: Type.Object(
      {
        cursor: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'next_cursor of the previous page.',
            examples: ['3XkQ0a'],
          }),
        ),
      },
      { additionalProperties: false, examples: [{}] },
    ),
    output: Output,
    async run({ cursor }, context, { safes }, notes) {
      const { accountId } = context.access
      if (cursor !== undefined && !(await findReadable(context, safes, cursor))) {
        throw new ToolError(`"cursor" is not valid. Call ${names.list} without it.`)
      }
      // One more than fits on a page, to know whether there are more.
      const part = { limit: PAGE + 1, ...(cursor === undefined ? {} : { after: cursor }) }
      const found = await readableSafes(context, safes, part)
      const active = await withActiveSafe(context, safes, async id => {
        const safe = found.find(safe => safe.id === id)
        return safe || (await safes.membership(accountId, id)) ? { id } : null
      })
      const page = pageOf(found.slice(0, PAGE), active)
      const isLast = page.length === found.length
      const nextCursor = isLast ? null : (page.at(-1)?.id ?? null)
      const hints = [...notes, nextStep(page, context, names)]
      return {
        output: { safes: page, next_cursor: nextCursor, hints },
        text: textOf(page, nextCursor, hints),
      }
    },
  })

/** Takes as many Safes as fit. A name alone can have 300 tokens. */
function pageOf(safes: ReadableSafe[], active: { id: string } | null): Listed[] {
  const all = safes.map(({ id, name, role, counts }) => ({
    id,
    name,
    role,
    active: id === active?.id,
    ...counts,
  }))
  // A token has at least one byte, so most lists need not be counted.
  if (Buffer.byteLength(JSON.stringify(all) + JSON.stringify(all.map(lineOf))) <= PAGE_TOKENS) return all
  const page: Listed[] = []
  let tokens = 0
  for (const listed of all) {
    tokens += estimateTokens(JSON.stringify(listed)) + estimateTokens(JSON.stringify(lineOf(listed)))
    if (tokens > PAGE_TOKENS) break
    page.push(listed)
  }
  return page
}

function textOf(safes: Listed[], nextCursor: string | null, hints: string[]): string {
  const more = nextCursor === null ? [] : [`More Safes follow: cursor ${nextCursor}`]
  return [...safes.map(lineOf), ...more, ...hints].join('\n')
}

function nextStep(safes: Listed[], context: RequestContext, names: ToolNames): string {
  if (safes.length === 0)
    return 'There is no Safe that this connection can read. The user can create one, or be given access to one, on the pages of this service.'
  if (singleSafe(context) !== null) return `Ask it with ${names.query}.`
  return safes.some(safe => safe.active)
    ? `Ask the active one with ${names.query}, or select another with ${names.select}.`
    : `Select one with ${names.select}, then ask with ${names.query}.`
}

function lineOf({ id, name, entities, relations, passages, active }: Listed): string {
  const size = `${entities} entities, ${relations} relations, ${passages} passages`
  return `${id} ${quoted(name)}: ${size}${active ? ' (active)' : ''}`
}
