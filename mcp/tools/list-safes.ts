import { type Static, Type } from '@sinclair/typebox'
import { oneLine } from '../../graph/one-line.js'
import type { ReadableSafe, Safes } from '../../plugins/safes/safe.js'
import { tryActive } from '../active-safe.js'
import type { Context } from '../context.js'
import { defineTool, ToolError } from '../tool.js'
import type { ToolNames } from './names.js'

/** Keeps a page well under the 20,000 tokens a result may have (RULES X10). */
const PAGE = 100

const ListedSafe = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: Type.Union([Type.Literal('owner'), Type.Literal('reader')]),
  active: Type.Boolean({ description: 'Whether questions go to this Safe when they name none.' }),
  entities: Type.Integer(),
  relations: Type.Integer(),
  passages: Type.Integer(),
})

const Output = Type.Object({
  safes: Type.Array(ListedSafe),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
})

export const listSafes = (names: ToolNames) =>
  defineTool({
    name: names.list,
    title: 'List Safes',
    description: [
      'Lists the Safes of the user that this connection may read: id, name, size, and which one is active.',
      'A Safe is a knowledge graph of things the user has stored: people, projects, notes, facts and where they come from.',
      `Call it when you do not know which Safe to ask, or when ${names.query} says that none is selected.`,
      `Then call ${names.select} with the id of the one that fits, and ask with ${names.query}.`,
    ].join(' '),
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: Type.Object(
      {
        cursor: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'next_cursor of the page before, to continue a long list.',
            examples: ['3XkQ0aV7bTn5mWcR9sYdLe'],
          }),
        ),
      },
      { additionalProperties: false, examples: [{}] },
    ),
    output: Output,
    async run({ cursor }, context, { safes }) {
      const all = await readableSafes(context, safes)
      const start = cursor === undefined ? 0 : all.findIndex(safe => safe.id === cursor) + 1
      if (cursor !== undefined && start === 0) {
        throw new ToolError(`"cursor" is not of a list of yours; call ${names.list} without it.`)
      }
      const active = await tryActive(context, safes, async id => all.find(safe => safe.id === id) ?? null)
      const page = all.slice(start, start + PAGE)
      const output: Static<typeof Output> = {
        safes: page.map(({ id, name, role, counts }) => ({
          id,
          name,
          role,
          active: id === active?.id,
          ...counts,
        })),
        next_cursor: start + PAGE < all.length ? (page.at(-1)?.id ?? null) : null,
      }
      return { output, text: textOf(output, names) }
    },
  })

async function readableSafes({ access, onlySafeId }: Context, safes: Safes): Promise<ReadableSafe[]> {
  if (onlySafeId === null) return safes.readableBy(access.accountId)
  const only = await safes.find(access.accountId, onlySafeId)
  return only ? [only] : []
}

function textOf({ safes, next_cursor }: Static<typeof Output>, names: ToolNames): string {
  if (safes.length === 0) {
    return 'There is no Safe this connection can read. The user can create one, or be invited to one, on the pages of this service.'
  }
  const lines = safes.map(safe => {
    const size = `${safe.entities} entities, ${safe.relations} relations, ${safe.passages} passages`
    return `${safe.id} "${oneLine(safe.name)}": ${size}${safe.active ? ' (active)' : ''}`
  })
  const next = safes.some(safe => safe.active)
    ? `Ask the active one with ${names.query}, or select another with ${names.select}.`
    : `Select one with ${names.select}, then ask with ${names.query}.`
  if (next_cursor !== null) lines.push(`More Safes follow: cursor ${next_cursor}`)
  return [...lines, next].join('\n')
}
