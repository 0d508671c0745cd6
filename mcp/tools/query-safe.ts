import type { Static } from '@sinclair/typebox'
import { type Answer, answerText } from '../../domain/safes/ask/answer.js'
import type { DocumentPage, ReadRequest } from '../../domain/safes/documents/reading.js'
import type { Question } from '../../domain/safes/safe.js'
import type { Safes } from '../../domain/safes/safes.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { isAllowedSafe, readableSafes, singleSafe, withActiveSafe } from '../active-safe.js'
import type { RequestContext } from '../context.js'
import { LOST_SAFE, NO_SAFES, namedSafe } from '../named-safe.js'
import { hasStructuredResults } from '../revisions/protocol-version.js'
import { defineTool, inLines, READ_ONLY, ToolError } from '../tool.js'
import type { ToolNames } from './names.js'
import { DEFAULT_TOKENS, inputSchema, lenient, Output } from './query-schema.js'
import { questionEntry } from './question-entry.js'
import { documentAnswer, documentEntry, documentText, isReading, readRequest } from './read-document.js'

/** Maximum characters of each form of an answer, regardless of tokens: assistants cut longer results (RULES R8, docs/clients.md). */
const MAX_CHARACTERS = { each: 38_000, together: Number.POSITIVE_INFINITY }
/** Maximum characters of a default answer, in both forms together: less than 7,500 including its end. */
const DEFAULT_CHARACTERS = { each: 7_400, together: 7_400 }

/** Asks a Safe, or reads one of its documents. */
export const querySafe = (names: ToolNames) =>
  defineTool({
    name: names.query,
    title: 'Search and read notes, documents, files',
    description: [
      'Searches what the user has stored in the active Safe (notes, documents, files, knowledge; their library, vault or memory): ranked facts and passages with their sources. Read-only.',
      'Call it to find, look up, read or remember anything they may have: a person, people, a project, projects, places, decisions, who works on what.',
      'Ask one question per call, in plain words as "query", with names as the user writes them; where the notes may say it in other words, add some as "other_words".',
      'For exact answers: a name alone tells everything about it, "from" and "to" how two entities are connected, "entities" with "steps" follow relations, no arguments give an overview. "since", "until" and "as_of" limit the time, "in" the place, "where" the properties.',
      'An empty answer says what was searched and which names are similar. For more, pass next_cursor as cursor. To read a whole note, pass its path as "document".',
      `If no Safe is active, call ${names.list} and ${names.select} first.`,
    ].join(' '),
    annotations: READ_ONLY,
    input: lenient(inputSchema(names)),
    listed: inputSchema(names),
    synonyms: { q: 'query' },
    output: Output,
    async run({ safe: safeId, ...fields }, context, { safes, activity }, notes) {
      if (isReading(fields)) {
        const request = readRequest(fields)
        const read = (id: string) => readIfReadable(safes, context, id, request)
        const page = await inSafe(safeId, context, safes, names, read)
        activity.record(documentEntry(context.access, request, page))
        const output = documentAnswer(page)
        const more = moreLine(output.next_cursor, names)
        return { output, text: inLines(documentText(page, more) + more) }
      }
      const question = questionOf(fields)
      if (notes.length > 0) question.notes = notes
      if (!hasStructuredResults(context.revision)) question.form = 'text'
      question.characters = fields.max_tokens === undefined ? DEFAULT_CHARACTERS : MAX_CHARACTERS
      const attempt = (id: string) => askIfReadable(safes, context, id, question)
      const answer = await inSafe(safeId, context, safes, names, attempt)
      activity.record(questionEntry(context.access, question, answer))
      return { output: answer, text: inLines(answerText(answer) + moreLine(answer.next_cursor, names)) }
    },
  })

/** Reads the named Safe, or the active one. @throws ToolError that names the tool to call first */
async function inSafe<Result>(
  safeId: string | undefined,
  context: RequestContext,
  safes: Safes,
  names: ToolNames,
  read: (safeId: string) => Promise<Result | null>,
): Promise<Result> {
  if (safeId === undefined) {
    const result = await withActiveSafe(context, safes, read)
    if (result) return result
    throw new ToolError(await noActiveSafe(context, safes, names))
  }
  const named = isAllowedSafe(context, safeId) ? await read(safeId) : null
  const result = named ?? (await read((await namedSafe(context, safes, safeId)).id))
  if (!result) throw new ToolError(LOST_SAFE)
  return result
}

async function noActiveSafe(context: RequestContext, safes: Safes, names: ToolNames): Promise<string> {
  if (singleSafe(context) !== null) return LOST_SAFE
  const [any] = await readableSafes(context, safes, { limit: 1, patienceMs: 0 })
  return any
    ? `No Safe is selected. Call ${names.list}, then ${names.select} with the one to ask, then ask again.`
    : NO_SAFES
}

/** Null if the Safe is not, or no longer, readable. */
export async function readIfReadable(
  safes: Safes,
  { access }: RequestContext,
  safeId: string,
  request: ReadRequest,
): Promise<DocumentPage | null> {
  try {
    return await safes.reading.page(access.accountId, safeId, request)
  } catch (error) {
    if (error instanceof DomainError && error.status === 404) return null
    throw error
  }
}

/** The question that arguments ask. */
export function questionOf({
  max_tokens = DEFAULT_TOKENS,
  steps,
  other_words,
  as_of,
  mode,
  document: _document,
  heading: _heading,
  ...fields
}: QuestionArguments): Question {
  const question: Question = { ...fields, maxTokens: max_tokens }
  if (steps) question.steps = steps.map(({ relation, direction = 'any' }) => ({ relation, direction }))
  if (other_words) question.otherWords = other_words
  if (as_of) question.asOf = as_of
  if (mode !== undefined && mode !== 'document') question.mode = mode
  return question
}

type QuestionArguments = Omit<Static<ReturnType<typeof lenient>>, 'safe'>

/** Asks a Safe. `ask` checks the membership. Returns null if the Safe is not, or no longer, readable. */
export async function askIfReadable(
  safes: Safes,
  { access, meter, signal }: RequestContext,
  safeId: string,
  question: Question,
): Promise<Answer | null> {
  let workMs = 0
  try {
    const onWork = (ms: number) => {
      workMs += ms
    }
    return await safes.questions.ask(access.accountId, safeId, question, onWork, signal)
  } catch (error) {
    if (error instanceof DomainError && error.status === 404) return null
    throw error
  } finally {
    meter.work(workMs)
  }
}

/** The text also contains the cursor, because before 2025-06-18 there is no structured result. */
const moreLine = (cursor: string | null, names: ToolNames): string =>
  cursor === null ? '' : `\nMore: call ${names.query} with the same arguments and cursor "${cursor}".`
