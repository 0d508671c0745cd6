import { Type } from '@sinclair/typebox'
import { LIMITS, type ProposalStatus } from '../../domain/proposals/proposal.js'
import type { Proposals } from '../../domain/proposals/proposals.js'
import { findReadable, withActiveSafe } from '../active-safe.js'
import type { RequestContext } from '../context.js'
import { namedSafe } from '../named-safe.js'
import { defineTool, Hints, ToolError } from '../tool.js'
import type { ToolNames } from './names.js'

const name = (description: string) => Type.String({ minLength: 1, maxLength: LIMITS.name, description })

const FIELDS = {
  statements: Type.Array(
    Type.Object(
      {
        subject: name('What the fact is about, by its name.'),
        predicate: name('The relation, in a few words.'),
        object: Type.String({
          minLength: 1,
          maxLength: LIMITS.object,
          description: 'The other thing, by its name, or a value.',
        }),
      },
      { additionalProperties: false },
    ),
    {
      minItems: 1,
      maxItems: LIMITS.statements,
      description: 'The facts.',
      examples: [[{ subject: 'Jonas Lindqvist', predicate: 'leads', object: 'Lens Restoration' }]],
    },
  ),
  note: Type.Optional(
    Type.String({
      maxLength: LIMITS.note,
      description: 'Why, for the owner who reviews the proposal.',
    }),
  ),
  source: Type.Optional(
    Type.String({
      maxLength: LIMITS.source,
      description: 'Where the facts come from: a conversation, a document, a URL.',
    }),
  ),
}

const inputSchema = (names: ToolNames) =>
  Type.Object(
    {
      ...FIELDS,
      safe: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: `Name or id of the Safe. Default: the active Safe. ${names.list} lists them.`,
        }),
      ),
    },
    { additionalProperties: false },
  )

const Output = Type.Object({
  pending: Type.Boolean({ description: 'Whether the proposal waits for an owner.' }),
  review_url: Type.String({ description: 'The page where an owner reviews it.' }),
  hints: Hints,
})

/** Proposes facts. Nothing that it is given can be read by any tool before an owner accepts it (ADR 53). */
export const propose = (
  names: ToolNames,
  proposals: Pick<Proposals, 'propose'>,
  reviewUrl: (safeId: string, id: string) => string,
) =>
  defineTool({
    name: names.propose,
    title: 'Propose facts',
    description: [
      'Proposes facts to be added to the active Safe. Nothing is added before an owner of the Safe has reviewed it on a page; until then no question finds it.',
      'Call it only when the user asks you to remember or note something. Propose what the user said, not what you conclude.',
      `Name things as the Safe names them: ask ${names.query} first. Put several facts into one call.`,
      'Then tell the user that the proposal waits for review, and give them review_url.',
    ].join(' '),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: inputSchema(names),
    synonyms: { facts: 'statements', triples: 'statements', safe_id: 'safe' },
    output: Output,
    async run({ statements, note, source, safe }, context, { safes }, notes) {
      const { accountId, connectionId } = context.access
      const safeId =
        safe === undefined
          ? await withActiveSafe(context, safes, id => readableId(context, safes, id))
          : (await namedSafe(context, safes, safe)).id
      if (safeId === null)
        throw new ToolError(`No Safe is selected. Call ${names.list} and pass the name of one as "safe".`)
      const proposal = { statements, note: textOf(note), source: textOf(source) }
      const { id, status } = await proposals.propose({ accountId, connectionId }, safeId, proposal)
      const review_url = reviewUrl(safeId, id)
      const hints = [...notes, WHAT_NOW[status]]
      const output = { pending: status === 'pending', review_url, hints }
      return { output, text: [...hints, `Review: ${review_url}`].join(' ') }
    },
  })

const WHAT_NOW: Record<ProposalStatus, string> = {
  pending:
    'The proposal waits for an owner of the Safe. Tell the user that nothing was added yet, and give them the review URL.',
  accepted: 'The same facts were proposed before, and an owner accepted them.',
  rejected: 'The same facts were proposed before, and an owner rejected them. Do not propose them again.',
}

const textOf = (text = '') => text.trim() || null

async function readableId(
  context: RequestContext,
  safes: Parameters<typeof findReadable>[1],
  id: string,
): Promise<string | null> {
  return (await findReadable(context, safes, id))?.id ?? null
}
