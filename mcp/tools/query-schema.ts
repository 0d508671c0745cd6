import { type TSchema, Type } from '@sinclair/typebox'
import type { AnswerSummary } from '../../domain/safes/ask/answer-summary.js'
import { MODES } from '../../engine/graph/index.js'
import { stringEnum } from '../string-enum.js'
import { TextOrNull } from '../tool.js'
import type { ToolNames } from './names.js'

export const DEFAULT_TOKENS = 2000

const Text = Type.String()
const Count = Type.Integer()
const Score = Type.Number({ description: 'Ranks results within this answer only.' })
const listOf = (properties: Record<string, TSchema>) => Type.Array(Type.Object(properties))

const entityCounts = {
  name: Text,
  type: TextOrNull,
  facts: Count,
  passages: Count,
  mentions: Count,
}

const Direction = stringEnum(['out', 'in', 'any'])

/** The members of a summary depend on its kind. */
const SummaryParts = Type.Object({
  ...entityCounts,
  relations: listOf({ predicate: Text, direction: Direction, count: Count }),
  more_relations: Count,
  entities: Type.Array(Type.Object(entityCounts)),
  paths: listOf({ entities: Type.Array(Text), steps: listOf({ predicate: Text, direction: Direction }) }),
  complete: Type.Boolean(),
  start: Type.Array(Text),
  steps: listOf({ relation: Text, direction: Direction, facts: Count }),
  reached: Count,
  only: { ...Type.Object({ types: Type.Array(Text), entities: Count }), type: ['object', 'null'] },
  counts: Type.Record(Text, Count),
  types: listOf({ type: Text, count: Count }),
  predicates: listOf({ predicate: Text, count: Count }),
  hubs: listOf({ name: Text, degree: Count }),
  samples: Type.Array(Text),
  folders: listOf({ folder: Text, documents: Count }),
  tags: listOf({ tag: Text, documents: Count }),
})

/** `AnswerSummary` as one schema, because some clients lose the types of alternatives (docs/clients.md). */
const Summary = Type.Unsafe<AnswerSummary>(
  Type.Object(
    {
      kind: stringEnum(['entity', 'entities', 'path', 'walk', 'overview']),
      ...Type.Partial(SummaryParts).properties,
    },
    {
      description:
        'On the first page, in modes other than search: the relations of an entity and their counts, the paths, how many entities a walk reached, or what is in the Safe.',
    },
  ),
)

/** Schema of `domain/safes/ask/answer.ts`. */
export const Output = Type.Object({
  safe: Type.Object({ id: Text, name: Text }),
  mode: stringEnum([...MODES, 'document']),
  linked: Type.Array(Type.Object({ text: Text, entity: Text }), {
    description: 'Words of the question that were recognized, and the entities they refer to.',
  }),
  verdict: Type.Optional(
    stringEnum(['answered', 'possible', 'none'], {
      description:
        '"answered": it answers, in a search with a lead. "possible": nothing answers for certain, say so. "none": nothing here answers, say so instead of answering from it.',
    }),
  ),
  confidence: Type.Optional(Type.Number({ description: 'How certain it is that it answers: 0 to 1.' })),
  lead: Type.Optional(
    Type.Object(
      { text: Text, id: Text },
      { description: 'The sentence or fact that answers best, and the id of its passage or fact.' },
    ),
  ),
  facts: Type.Array(
    Type.Object({
      id: Text,
      subject: Text,
      predicate: Text,
      object: Text,
      valid_from: Type.Optional(Type.String({ description: 'When it began: a year, month, day or time.' })),
      valid_to: Type.Optional(Type.String({ description: 'When it ended.' })),
      learned_on: Type.Optional(Type.String({ description: 'When it became known.' })),
      superseded: Type.Optional(Type.Boolean({ description: 'A newer fact has taken its place.' })),
      sources: Type.Array(Text, { description: 'Names of the imports that state this fact.' }),
      score: Score,
    }),
  ),
  passages: Type.Array(
    Type.Object({
      id: Text,
      title: Text,
      text: Text,
      time: Type.Optional(
        Type.String({ description: 'Time of the passage: a date, or a date and time in UTC.' }),
      ),
      source: Text,
      document: Type.Optional(Type.String({ description: 'Path of its document, to read it as a whole.' })),
      heading: Type.Optional(Type.String({ description: 'The headings above it there, joined by " > ".' })),
      url: Type.Optional(Type.String({ description: 'Its page, to cite it.' })),
      score: Score,
      before: Type.Optional(
        Type.String({
          description: 'End of the preceding text in its note or chat, if there is room.',
        }),
      ),
      after: Type.Optional(Type.String({ description: 'Beginning of the following text.' })),
    }),
  ),
  entities: Type.Array(Text, {
    description: 'Entities that the answer is about, best first; for a walk, the entities it reached.',
  }),
  total: Type.Integer({ description: 'Facts and passages found, before limit and max_tokens.' }),
  truncated: Type.Boolean(),
  next_cursor: TextOrNull,
  hints: Type.Array(Text, { description: 'Suggestions for follow-up calls.' }),
  summary: Type.Optional(Summary),
  document: Type.Optional(
    Type.Object(
      {
        path: Text,
        title: Text,
        date: Type.Optional(Text),
        tags: Type.Optional(Type.Array(Text)),
        outline: Type.Optional(Type.Array(Text)),
        text: Text,
      },
      { description: 'In mode document: its text, in its order.' },
    ),
  ),
})

const Name = (description: string, examples: string[]) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description, examples }))

const Time = (description: string, examples: string[]) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples }))

const Names = (description: string, examples: string[][]) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20, description, examples }),
  )

/** The description repeats the bounds, because some clients (Codex) show their model nothing else of a schema. */
const Whole = (most: number, usual: number, about: string, least = 1) => {
  const description = `${about} ${least} to ${most}, ${usual} by default.`
  return Type.Optional(
    Type.Integer({ minimum: least, maximum: most, default: usual, description, examples: [usual] }),
  )
}

const Step = Type.Object(
  {
    relation: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A relation, or some of its words.',
    }),
    direction: Type.Optional(
      stringEnum(['out', 'in', 'any'], {
        default: 'any',
        description: '"out": subject to object, "in": object to subject.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The parts of a question. */
const FIELDS = {
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'A question or a few words. Spell names as the user does.',
      examples: ['Who works with Ada on the harbour project?'],
    }),
  ),
  other_words: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
      maxItems: 6,
      description:
        'Other words the notes may use for what the query asks: 3 to 5 short phrases, best first (synonyms, technical terms, likely headings). They count less than the query. Leave out when names say it, or when you would be guessing. For "When is the boat fixed?": repair, overhaul, shipyard.',
      examples: [['repair', 'overhaul', 'shipyard']],
    }),
  ),
  mode: Type.Optional(
    stringEnum(['auto', ...MODES, 'document'], {
      default: 'auto',
      description:
        '"auto" goes by the other fields; "search" ranks facts and passages; "entity" tells all about one; "path" finds the shortest connections of "from" and "to"; "walk" follows "steps"; "overview" describes the Safe; "document" returns a text.',
      examples: ['path'],
    }),
  ),
  entities: Names(
    'What the question is about, or where a walk starts. If several share a name, add the id shown: "bank (bank.n.01)".',
    [['Ada Lovelace']],
  ),
  document: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'The document to read: its path or title.',
      examples: ['projects/Harbour.md'],
    }),
  ),
  heading: Name('Where to begin in the document.', ['Decisions']),
  in: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
      maxItems: 20,
      description:
        'Only in these folders ("notes/"), tags ("tag:work") and documents; an overview lists folders and tags.',
      examples: [['projects/', 'tag:work']],
    }),
  ),
  where: Type.Optional(
    Type.Object(
      { status: Type.Optional(Text) },
      {
        additionalProperties: true,
        description: 'Only notes with all these properties; a list: any of its values.',
        examples: [{ status: 'draft' }],
      },
    ),
  ),
  recent: Type.Optional(
    Type.Boolean({
      description: 'Lists documents by last change, within "in", "where", "since", "until".',
      examples: [true],
    }),
  ),
  from: Name('One end of a path.', ['Ada Lovelace']),
  to: Name('Its other end.', ['Harbour Project']),
  steps: Type.Optional(
    Type.Array(Step, {
      maxItems: 6,
      description: 'Relations to follow from the entities, in order.',
      examples: [[{ relation: 'works for', direction: 'out' }, { relation: 'located in' }]],
    }),
  ),
  depth: Whole(4, 4, 'Most relations of a path.'),
  types: Names('Only entities of these types; an overview lists them.', [['person']]),
  since: Time(
    'Only passages from then on, and facts true since: a date (from its start, UTC) or a time with zone. Leaves out what has no time. Without a query, lists the latest first.',
    ['2026-05-01'],
  ),
  until: Time('The same up to then: a date (to its end) or a time.', ['2026-05-31']),
  as_of: Time(
    'What held then: a year, month, day, or time with zone. Leaves out facts that began later or had ended, and later passages.',
    ['2021-05'],
  ),
  limit: Whole(50, 10, 'Most facts and passages, together.'),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'next_cursor of the previous answer, for its next page.',
      examples: ['WzMsIi'],
    }),
  ),
  detail: Type.Optional(
    stringEnum(['brief', 'full'], {
      default: 'full',
      description: '"brief" shortens passages, to scan many.',
      examples: ['brief'],
    }),
  ),
  max_tokens: Whole(20_000, DEFAULT_TOKENS, 'Most tokens of the answer.', 100),
}

/** All arguments of a question. `query` alone is enough. Their token cost is tested (test/deep/tokens). */
export const inputSchema = (names: ToolNames) =>
  Type.Object(
    {
      ...FIELDS,
      safe: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: `Name or id of a Safe from ${names.list}, for this call only.`,
          examples: ['Work notes'],
        }),
      ),
    },
    { additionalProperties: false },
  )

/** Properties of any name, with values or lists of them. The listed schema has one, because Gemini refuses objects without. */
export const Where = Type.Optional(
  Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { ...FIELDS.where, properties: {}, additionalProperties: true }),
  ),
)

/** Accepts too many or too long phrases, uses the best, and accepts lists of values (RULES X14). */
export const lenient = (input: ReturnType<typeof inputSchema>) =>
  Type.Object(
    {
      ...input.properties,
      where: Where,
      other_words: Type.Optional(Type.Array(Text)),
    },
    { additionalProperties: false },
  )
