import { Type } from '@sinclair/typebox'
import { LIMITS, type ProposalStatus } from '../../domain/proposals/proposal.js'
import type { Proposals } from '../../domain/proposals/proposals.js'
import { findReadable, withActiveSafe } from '../active-safe.js'
import type { RequestContext } from '../context.js'
import { namedSafe } from '../named-safe.js'
import { stringEnum } from '../string-enum.js'
import { defineTool, Hints, ToolError } from '../tool.js'
import type { ToolNames } from './names.js'

const name = (description: string) => Type.String({ minLength: 1, maxLength: LIMITS.name, description })

const text = (description: string, maxLength: number = LIMITS.textBytes) =>
  Type.String({ maxLength, description })

const Note = Type.Object(
  {
    title: text('Its title, which is its file name.', 200),
    text: text('Its text, in Markdown.'),
    folder: Type.Optional(text('Its folder, such as "Projects/Garden". Default: Notes.', 500)),
  },
  { additionalProperties: false, description: 'A new note.' },
)

const Edit = Type.Object(
  {
    document: text('Its path or title, as answers show it.', 1000),
    change: stringEnum(['append', 'under_heading', 'replace', 'set_property'], {
      description:
        'append: at the end. under_heading: at the end of the section in "at". replace: instead of the passage quoted in "at". set_property: a property of its front matter.',
    }),
    at: Type.Optional(text('The heading, the exact quotation (which occurs once), or the property.')),
    text: text('The new text, in Markdown; the value of a property.'),
  },
  { additionalProperties: false },
)

const FIELDS = {
  statements: Type.Optional(
    Type.Array(
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
        maxItems: LIMITS.statements,
        description: 'Facts.',
        examples: [[{ subject: 'Jonas Lindqvist', predicate: 'leads', object: 'Lens Restoration' }]],
      },
    ),
  ),
  new_note: Type.Optional(Note),
  edits: Type.Optional(
    Type.Array(Edit, {
      maxItems: LIMITS.texts,
      description: 'Changes of documents. Read a document before you change it.',
      examples: [[{ document: 'Plan', change: 'append', text: '- Order sailcloth' }]],
    }),
  ),
  note: Type.Optional(text('Why, for its reviewer.', LIMITS.note)),
  source: Type.Optional(text('Where it comes from: a conversation, a document, a URL.', LIMITS.source)),
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

/** Proposes facts, notes and edits. No tool can read a proposal until an owner accepts it (ADR 53). */
export const propose = (
  names: ToolNames,
  proposals: Pick<Proposals, 'propose'>,
  reviewUrl: (safeId: string, id: string) => string,
) =>
  defineTool({
    name: names.propose,
    title: 'Propose facts, notes and edits',
    description: [
      'Proposes facts, a new note, or edits of documents in the active Safe. Nothing is changed before an owner of the Safe has reviewed it on a page; until then no question finds it.',
      'Call it only when the user asks you to remember, note, write or edit something. Propose what the user said, not what you conclude.',
      `Name things as the Safe names them: ask ${names.query} first. Put everything into one call.`,
      'Then tell the user that the proposal waits for review, and give them review_url.',
    ].join(' '),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: inputSchema(names),
    synonyms: { facts: 'statements', triples: 'statements', edit: 'edits', safe_id: 'safe' },
    output: Output,
    async run({ statements = [], new_note: newNote, edits, note, source, safe }, context, { safes }, notes) {
      const { accountId, connectionId } = context.access
      const safeId =
        safe === undefined
          ? await withActiveSafe(context, safes, id => readableId(context, safes, id))
          : (await namedSafe(context, safes, safe)).id
      if (safeId === null)
        throw new ToolError(`No Safe is selected. Call ${names.list} and pass the name of one as "safe".`)
      const proposal = { statements, newNote, edits, note: textOf(note), source: textOf(source) }
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
  accepted: 'The same was proposed before, and an owner accepted it.',
  rejected: 'The same was proposed before, and an owner rejected it. Do not propose it again.',
}

const textOf = (text = '') => text.trim() || null

async function readableId(
  context: RequestContext,
  safes: Parameters<typeof findReadable>[1],
  id: string,
): Promise<string | null> {
  return (await findReadable(context, safes, id))?.id ?? null
}
