import { type Static, Type } from '@sinclair/typebox'
import type { Import } from '../../domain/safes/safe.js'
import { stringEnum } from '../../mcp/string-enum.js'
import { withoutReview } from '../pages/safes/import-state.js'
import { BadLines, Nullable, Time } from './schemas.js'

const Counts = Type.Object({
  entities: Type.Integer(),
  relations: Type.Integer(),
  passages: Type.Integer(),
})
const Examples = Type.Array(Type.String())

/** An import as the API shows it. */
export const ImportAnswer = Type.Object({
  id: Type.Integer(),
  status: stringEnum(['staging', 'staged', 'committed', 'failed']),
  source: Type.String(),
  format: Type.String(),
  counts: Counts,
  documents: Type.Optional(
    Type.Integer({ description: 'Documents in it, without pictures; absent where nobody counted them.' }),
  ),
  bad_line_count: Type.Integer(),
  bad_lines: BadLines,
  remarks: Type.Optional(
    Type.Object(
      { count: Type.Integer(), first: BadLines },
      { description: 'What was read in another way than its author meant, such as a broken front matter.' },
    ),
  ),
  left_out: Type.Array(
    Type.Object({
      reason: stringEnum(['hidden', 'links', 'beside_notes', 'beside_chats', 'unknown', 'unreadable']),
      count: Type.Integer(),
      endings: Examples,
      names: Type.Optional(Examples),
    }),
    { description: 'Files of a folder or archive that are not read.' },
  ),
  tables: Type.Array(
    Type.Object({
      table: Type.String(),
      thing: Type.String({ description: 'What a row is.' }),
      has_header: Type.Boolean(),
      naming: Type.Array(Type.String(), { description: 'Columns with the name of a row.' }),
      unclear: Type.Array(Type.String(), { description: 'Columns that could have the name as well.' }),
      columns: Type.Array(
        Type.Object({
          header: Type.String(),
          role: stringEnum(['name', 'key', 'link', 'relation', 'value']),
          to: Type.String(),
        }),
      ),
      rows: Type.Array(Type.String(), { description: 'The first rows as they were read.' }),
    }),
    { description: 'How the first tables were read.' },
  ),
  merged_names: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ description: 'How many things have such names.' }),
        examples: Type.Array(Examples, { description: 'The first three: two names of each.' }),
      },
      {
        description:
          'Things in the file that have become one because their names differ only in case, accents or form.',
      },
    ),
  ),
  problem: Nullable(Type.String({ description: 'Why it failed, as a sentence.' })),
  same_as: Nullable(
    Type.Integer({ description: 'The import with the same bytes, if it failed as a duplicate.' }),
  ),
  comparison: Nullable(
    Type.Object({
      version: Type.Integer(),
      added: Counts,
      there: Counts,
      conflicts: Type.Integer(),
      documents: Type.Optional(
        Type.Object(
          { added: Type.Integer(), changed: Type.Integer(), unchanged: Type.Integer() },
          {
            description:
              'Documents in it, without pictures, compared with those in force with the same path; absent in comparisons of older releases.',
          },
        ),
      ),
      examples: Type.Object({ added: Examples, there: Examples, conflicts: Examples }),
    }),
  ),
  sync: Nullable(
    Type.Object({
      added: Type.Integer(),
      changed: Type.Integer(),
      renamed: Type.Integer(),
      removed: Type.Integer(),
      relinked: Type.Integer(),
    }),
  ),
  bytes_read: Type.Integer(),
  bytes_total: Nullable(Type.Integer()),
  created_at: Time,
  committed_at: Nullable(Time),
  merged: Type.Boolean(),
})

export type ImportAnswer = Static<typeof ImportAnswer>

/** The body that begins an import. */
export const NewImport = Type.Object(
  {
    uploads: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 1_000,
      description: 'Ids of finished uploads.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The uploads are the files of a folder with this name, or one is its zip archive (format `zip`).',
      }),
    ),
    format: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    name_column: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The column with the names of the rows, in tables.',
      }),
    ),
    skip_bad: Type.Optional(Type.Boolean({ default: false })),
    commit: Type.Optional(Type.Boolean({ default: true })),
  },
  { additionalProperties: false },
)

export type NewImport = Static<typeof NewImport>

/** An import of the domain as the API shows it. */
export function importAnswer(item: Import): ImportAnswer {
  const { id, source, format, counts, problem, merged, sync } = item
  return {
    id,
    status: withoutReview(item).status,
    source,
    format,
    counts,
    ...(item.documents === undefined ? {} : { documents: item.documents }),
    bad_line_count: item.badLineCount,
    bad_lines: item.badLines,
    ...(item.remarks ? { remarks: item.remarks } : {}),
    left_out: item.leftOut ?? [],
    tables: (item.tables ?? []).map(({ hasHeader, ...table }) => ({ ...table, has_header: hasHeader })),
    ...(item.mergedNames ? { merged_names: item.mergedNames } : {}),
    problem,
    same_as: item.sameAs ?? null,
    comparison: item.comparison ?? null,
    sync: sync
      ? {
          added: sync.added,
          changed: sync.changed,
          renamed: sync.renamed,
          removed: sync.removed,
          relinked: sync.relinked,
        }
      : null,
    bytes_read: item.bytesRead,
    bytes_total: item.bytesTotal,
    created_at: new Date(item.createdAt).toISOString(),
    committed_at: item.committedAt === null ? null : new Date(item.committedAt).toISOString(),
    merged,
  }
}
