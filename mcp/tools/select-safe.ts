import { Type } from '@sinclair/typebox'
import { quoted } from '../../domain/safes/ask/one-line.js'
import { type ActiveSafe, singleSafe } from '../active-safe.js'
import type { RequestContext } from '../context.js'
import { namedSafe } from '../named-safe.js'
import { STATELESS } from '../revisions/protocol-version.js'
import { defineTool, Hints } from '../tool.js'
import type { ToolNames } from './names.js'

/** Selects the Safe for later questions. */
export const selectSafe = (names: ToolNames) =>
  defineTool({
    name: names.select,
    title: 'Select a Safe',
    description: [
      'Makes a Safe the active one: questions that name no Safe then go to it, in this conversation and later ones.',
      `Call it with a name or id from ${names.list} before the first question, and whenever the user turns to another Safe.`,
      `It changes nothing inside the Safe. Then ask with ${names.query}.`,
    ].join(' '),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        safe: Type.String({
          minLength: 1,
          maxLength: 200,
          description: `Name or id of the Safe, as ${names.list} shows it.`,
          examples: ['Work notes'],
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
      const safe = await namedSafe(context, safes, idOrName)
      // A connection with a single Safe always uses that one (RULES X11).
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
