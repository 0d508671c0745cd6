import { type TSchema, Type } from '@sinclair/typebox'
import { modes } from '../../graph/retrieval/ranking.js'
import { stringEnum } from '../string-enum.js'
import type { ToolNames } from './names.js'

export const DEFAULT_TOKENS = 2000

const Text = Type.String()
const Count = Type.Integer()
const Score = Type.Number({ description: 'Ranks results within this answer only.' })
const listOf = (properties: Record<string, TSchema>) => Type.Array(Type.Object(properties))

const entityCounts = {
  name: Text,
  type: Type.Union([Text, Type.Null()]),
  facts: Count,
  passages: Count,
  mentions: Count,
}

/** `AnswerSummary` as a schema. */
const Summary = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('entity'),
      ...entityCounts,
      relations: listOf({ predicate: Text, direction: stringEnum(['out', 'in']), count: Count }),
      more_relations: Count,
    }),
    Type.Object({ kind: Type.Literal('entities'), entities: Type.Array(Type.Object(entityCounts)) }),
    Type.Object({
      kind: Type.Literal('path'),
      paths: listOf({
        entities: Type.Array(Text),
        steps: listOf({ predicate: Text, direction: stringEnum(['out', 'in']) }),
      }),
      complete: Type.Boolean(),
    }),
    Type.Object({
      kind: Type.Literal('walk'),
      start: Type.Array(Text),
      steps: listOf({ relation: Text, direction: stringEnum(['out', 'in', 'any']), facts: Count }),
      reached: Count,
      complete: Type.Boolean(),
    }),
    Type.Object({
      kind: Type.Literal('overview'),
      only: Type.Union([Type.Object({ types: Type.Array(Text), entities: Count }), Type.Null()]),
      counts: Type.Record(Text, Count),
      types: listOf({ type: Text, count: Count }),
      predicates: listOf({ predicate: Text, count: Count }),
      hubs: listOf({ name: Text, degree: Count }),
      samples: Type.Array(Text),
      folders: Type.Optional(listOf({ folder: Text, documents: Count })),
      tags: Type.Optional(listOf({ tag: Text, documents: Count })),
    }),
  ],
  {
    description:
      'On the first page, in modes other than search: the relations of an entity and their counts, the paths, how many entities a walk reached, or what is in the Safe.',
  },
)

/** Schema of `safes/ask/answer.ts`. */
export const Output = Type.Object({
  safe: Type.Object({ id: Text, name: Text }),
  mode: stringEnum([...modes, 'document']),
  linked: Type.Array(Type.Object({ text: Text, entity: Text }), {
    description: 'Words of the question that were recognized, and the entities they refer to.',
  }),
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
  next_cursor: Type.Union([Text, Type.Null()]),
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
  Type.Optional(Type.String({ minLength: 1, maxLength: 40, description, examples }))

const Names = (description: string, examples: string[][]) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20, description, examples }),
  )

/** The description repeats the bounds, because some clients (Codex) show their model nothing else of a schema. */
const Whole = (most: number, usual: number, about: string, least = 1) => {
  const description = `${about} A whole number from ${least} to ${most}; ${usual} by default.`
  return Type.Optional(
    Type.Integer({ minimum: least, maximum: most, default: usual, description, examples: [usual] }),
  )
}

/** All arguments of a question. `query` alone is enough. */
export const inputSchema = (names: ToolNames) =>
  Type.Object(
    {
      query: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description:
            'A question or a few words in natural language. Names of people, places and things work best, spelled as the user spells them. Optional if other fields say what to do.',
          examples: ['Who works with Ada on the harbour project?', 'harbour project'],
        }),
      ),
      other_words: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
          maxItems: 6,
          description:
            'Other words the notes may use for what the query asks: 3 to 5 short phrases, best first (synonyms, technical terms, likely headings). They count less than the query. Leave out when names alone say it, or when you would only be guessing. Example: for "When is the boat fixed?" ["repair", "overhaul", "shipyard"].',
          examples: [['repair', 'overhaul', 'shipyard']],
        }),
      ),
      mode: Type.Optional(
        stringEnum(['auto', ...modes, 'document'], {
          default: 'auto',
          description:
            'How to answer. "auto" (default) chooses by the other fields: "search" ranks facts and passages for the query; "entity" returns everything about one entity; "path" finds the shortest connections between "from" and "to"; "walk" follows "steps" exactly; "overview" describes what is in the Safe; "document" returns the text of a document.',
          examples: ['auto', 'path'],
        }),
      ),
      entities: Names(
        'Names of the entities that the question is about, or where a walk starts. To select a specific one, use a name with its id as an answer shows it, as in "bank (bank.n.01)".',
        [['Ada Lovelace'], ['Harbour Project', 'Ada Lovelace']],
      ),
      document: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'The document to read, by its path or title as answers show it (source).',
          examples: ['projects/Harbour.md'],
        }),
      ),
      heading: Name('With document: the heading at which to begin.', ['Decisions']),
      in: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
          maxItems: 20,
          description:
            'Only these folders ("notes/"), tags ("tag:work") and documents, in search, entity and overview; an overview lists folders and tags.',
          examples: [['projects/', 'tag:work']],
        }),
      ),
      from: Name('One end of a path: the name of an entity. Give "to" as well.', ['Ada Lovelace']),
      to: Name('The other end of a path: the name of an entity.', ['Harbour Project']),
      steps: Type.Optional(
        Type.Array(
          Type.Object(
            {
              relation: Type.String({
                minLength: 1,
                maxLength: 200,
                description: 'Name of a relation in the Safe, in any spelling, or some of its words.',
              }),
              direction: Type.Optional(
                stringEnum(['out', 'in', 'any'], {
                  default: 'any',
                  description: '"out" from subject to object, "in" from object to subject, "any" both.',
                }),
              ),
            },
            { additionalProperties: false },
          ),
          {
            maxItems: 6,
            description:
              'Relations to follow in order from the entities, for an exact answer to a question with several steps.',
            examples: [
              [
                { relation: 'works for', direction: 'out' },
                { relation: 'located in', direction: 'out' },
              ],
            ],
          },
        ),
      ),
      depth: Whole(4, 4, 'Maximum number of relations in a path.'),
      types: Names(
        'Return only results about entities of these types, in search, walk and overview (an overview lists the types).',
        [['person'], ['project', 'decision']],
      ),
      since: Time(
        'Only passages of this time or later, and facts that were true at some moment of it: a date such as 2026-05-01 (from the start of the day in UTC) or a time with its zone. What has no time is excluded. Combine it with a query or a name, in search and entity; without either, it lists what there is, latest first.',
        ['2026-05-01', '2026-05-01T09:30:00Z'],
      ),
      until: Time(
        'Only passages of this time or earlier, and facts like those of "since": a date (to the end of the day in UTC) or a time with its zone.',
        ['2026-05-31', '2026-05-31T18:00:00+02:00'],
      ),
      as_of: Time(
        'What held at this time: a year, a month, a day, or a time with its zone. Leaves out facts that began later or had ended, and later passages; what has no time stays. For search, entity, path and walk.',
        ['2021', '2021-05-01'],
      ),
      limit: Whole(50, 10, 'Maximum number of facts and passages, together.'),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description:
            'next_cursor of the previous answer to the same question, to get the next page. Omit it the first time.',
          examples: ['WzMsInBQNU9jR2tuQWtGYlRmVWciLDEwXQ'],
        }),
      ),
      detail: Type.Optional(
        stringEnum(['brief', 'full'], {
          default: 'full',
          description: '"brief" shortens passages, to scan many; "full" returns them whole if they fit.',
          examples: ['brief'],
        }),
      ),
      max_tokens: Whole(20_000, DEFAULT_TOKENS, 'Maximum length of the answer, in tokens.', 100),
      safe: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: `Id of a Safe from ${names.list}, to ask that one in this call only. Omit it to ask the active Safe.`,
          examples: ['3XkQ0aV7bTn5mWcR9sYdLe'],
        }),
      ),
    },
    { additionalProperties: false },
  )

/** Accepts too many or too long phrases, of which the best are used (RULES X14). */
export const lenient = (input: ReturnType<typeof inputSchema>) =>
  Type.Object(
    {
      ...input.properties,
      other_words: Type.Optional(Type.Array(Text)),
    },
    { additionalProperties: false },
  )
