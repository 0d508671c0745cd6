import type { Static } from '@sinclair/typebox'
import { type Answer, answerText } from '../../domain/safes/ask/answer.js'
import type { DocumentPage, ReadRequest } from '../../domain/safes/documents/reading.js'
import type { Question } from '../../domain/safes/safe.js'
import type { Safes } from '../../domain/safes/safes.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { isAllowedSafe, singleSafe, withActiveSafe } from '../active-safe.js'
import type { RequestContext } from '../context.js'
import { hasStructuredResults } from '../revisions/protocol-version.js'
import { defineTool, READ_ONLY, ToolError } from '../tool.js'
import type { ToolNames } from './names.js'
import { DEFAULT_TOKENS, inputSchema, lenient, Output } from './query-schema.js'
import { questionEntry } from './question-entry.js'
import { documentAnswer, documentEntry, documentText, isReading, readRequest } from './read-document.js'

/** Asks a Safe, or reads one of its documents. */
export const querySafe = (names: ToolNames) =>
  defineTool({
    name: names.query,
    title: 'Ask a Safe',
    description: [
      'Answers from the knowledge graph of the active Safe: ranked facts and passages with their sources. Read-only.',
      'Call it whenever the user asks about something they may have stored: people, projects, places, decisions, notes.',
      'Ask one question per call, in plain words as "query", with names as the user writes them; where the notes may say it in other words, add some as "other_words".',
      'For exact answers: a name alone tells everything about it, "from" and "to" how two entities are connected, "entities" with "steps" follow relations, no arguments give an overview. "since", "until" and "as_of" limit the time, "in" the place.',
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
        return { output, text: documentText(page) + moreLine(output.next_cursor, names) }
      }
      const question = questionOf(fields)
      if (notes.length > 0) question.notes = notes
      if (!hasStructuredResults(context.revision)) question.form = 'text'
      const attempt = (id: string) => askIfReadable(safes, context, id, question)
      const answer = await inSafe(safeId, context, safes, names, attempt)
      activity.record(questionEntry(context.access, question, answer))
      return { output: answer, text: answerText(answer) + moreLine(answer.next_cursor, names) }
    },
  })

/** Reads the Safe that is named, or the active one. @throws ToolError that says what to call first */
async function inSafe<Result>(
  safeId: string | undefined,
  context: RequestContext,
  safes: Safes,
  names: ToolNames,
  read: (safeId: string) => Promise<Result | null>,
): Promise<Result> {
  const result =
    safeId === undefined
      ? await withActiveSafe(context, safes, read)
      : isAllowedSafe(context, safeId) && (await read(safeId))
  if (!result) throw new ToolError(unreadableSafe(safeId, context, names))
  return result
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

function unreadableSafe(safeId: string | undefined, context: RequestContext, names: ToolNames): string {
  const single = singleSafe(context)
  if (single !== null) {
    return safeId === undefined || safeId === single
      ? 'The Safe of this connection no longer exists or is no longer shared with this account. The user must connect again.'
      : 'This connection can read one Safe only. Omit "safe" to ask it.'
  }
  const reader = context.allowedSafeIds === null ? 'the account' : 'this connection'
  return safeId === undefined
    ? `No Safe is selected. Call ${names.list}, then ${names.select} with the id of the one to ask, then ask again.`
    : `There is no Safe with this id that ${reader} can read. Call ${names.list} for the ids, or omit "safe".`
}

/** The text also contains the cursor, because before 2025-06-18 there is no structured result. */
const moreLine = (cursor: string | null, names: ToolNames): string =>
  cursor === null ? '' : `\nMore: call ${names.query} with the same arguments and cursor "${cursor}".`
