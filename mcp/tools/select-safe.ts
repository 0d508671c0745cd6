import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { quoted } from '../../domain/safes/ask/one-line.js'
import type { Safes } from '../../domain/safes/safes.js'
import { type ActiveSafe, findReadable, readableSafes, singleSafe } from '../active-safe.js'
import type { RequestContext } from '../context.js'
import { STATELESS } from '../revisions/protocol-version.js'
import { defineTool, Hints, ToolError } from '../tool.js'
import type { ToolNames } from './names.js'

/** Page size when searching for a Safe by name. */
const PAGE = 200

/** Chooses the Safe that questions go to from then on. */
export const selectSafe = (names: ToolNames) =>
  defineTool({
    name: names.select,
    title: 'Select a Safe',
    description: [
      'Makes a Safe the active one: questions that name no Safe then go to it, in this conversation and later ones.',
      `Call it with an id from ${names.list} before the first question, and whenever the user turns to another Safe.`,
      `It changes nothing inside the Safe. Then ask with ${names.query}.`,
    ].join(' '),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        safe: Type.String({
          minLength: 1,
          maxLength: 200,
          description: `Id of the Safe as ${names.list} shows it, or its exact name.`,
          examples: ['3XkQ0aV7bTn5mWcR9sYdLe'],
        }),
      },
      { additionalProperties: false },
    ),
    synonyms: { safe_id: 'safe', id: 'safe', name: 'safe' },
    output: Type.Object({
      safe: Type.Object({ id: Type.String(), name: Type.String() }),
      hints: Hints,
    }),
    async run({ safe: idOrName }, context, { safes, sessions }, notes) {
      const safe =
        (await findReadable(context, safes, idOrName)) ?? (await findByName(context, safes, idOrName, names))
      if (!safe) throw new ToolError(noSuchSafe(context, names))
      // A connection with one Safe only always uses that (RULES X11).
      if (singleSafe(context) === null) await sessions.select(context.access, safe.id)
      const hints = [...notes, nextStep(safe, context, names)]
      const selected = `${quoted(safe.name)} (${safe.id}) is the active Safe now.`
      return { output: { safe, hints }, text: [selected, ...hints].join(' ') }
    },
  })

/** Without sessions, the selection is shared by all conversations of the connection (RULES N12). */
function nextStep({ id }: ActiveSafe, context: RequestContext, names: ToolNames): string {
  return context.revision === STATELESS && singleSafe(context) === null
    ? `Pass "safe": "${id}" in later calls of ${names.query}, because other conversations may select another Safe.`
    : `Ask it with ${names.query}.`
}

/** Finds a Safe by name, because models often pass the name. @throws ToolError if several Safes have it */
async function findByName(
  context: RequestContext,
  safes: Safes,
  name: string,
  names: ToolNames,
): Promise<ActiveSafe | null> {
  const lower = name.toLowerCase()
  const found: ActiveSafe[] = []
  for (let after: string | undefined; found.length < 2; ) {
    const page = await readableSafes(context, safes, { limit: PAGE, ...(after ? { after } : {}) })
    found.push(...page.filter(safe => safe.name.toLowerCase() === lower))
    after = page.at(-1)?.id
    if (page.length < PAGE) break
    await nextTurn()
  }
  if (found.length > 1) throw new ToolError(`Several Safes have this name. Pass an id from ${names.list}.`)
  const [safe] = found
  return safe ? { id: safe.id, name: safe.name } : null
}

function noSuchSafe(context: RequestContext, names: ToolNames): string {
  const reader = context.allowedSafeIds === null ? 'account' : 'connection'
  return singleSafe(context) === null
    ? `There is no such Safe among those this ${reader} can read. Call ${names.list} and pass one of its ids.`
    : `This connection can read one Safe only, which is active already. Ask it with ${names.query}; to read another, the user must connect again.`
}
