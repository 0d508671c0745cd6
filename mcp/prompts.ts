import { quoted } from '../domain/safes/ask/one-line.js'
import { CODES, constant, type Result, RpcError } from './json-rpc.js'
import { isObject } from './revisions/envelope.js'
import type { ToolNames } from './tools/names.js'

interface Prompt {
  name: string
  title: string
  description: string
  /** Its required argument. */
  argument: { name: string; description: string }
  /** The user's message with the argument. `inSafe` is empty, or names the Safe. */
  text(tool: string, value: string, inSafe: string): string
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'ask',
    title: 'Ask a Safe',
    description: 'Answers a question from the notes and documents of a Safe.',
    argument: { name: 'question', description: 'The question, in plain words.' },
    text: (tool, value, inSafe) =>
      `Call ${tool} with the query ${value}${inSafe} and answer from what it returns, with its sources. Say so if nothing there answers.`,
  },
  {
    name: 'summarize',
    title: 'Summarize a document or folder',
    description: 'Summarizes a document, or the documents of a folder.',
    argument: { name: 'path', description: 'The path of a document, or of a folder, such as "notes/".' },
    text: (tool, value, inSafe) =>
      value.endsWith('/"')
        ? `Call ${tool} with mode "overview" and in [${value}]${inSafe}, read the documents of this folder with "document", to their ends, and summarize them, each with its path.`
        : `Read the document ${value} with ${tool}${inSafe}, page by page to its end, and summarize it. Name the headings that you refer to.`,
  },
  {
    name: 'what_changed_since',
    title: 'What changed since',
    description: 'Says what is new in a Safe since a day.',
    argument: { name: 'since', description: 'A day, such as 2026-05-01.' },
    text: (tool, value, inSafe) =>
      `Call ${tool} with since ${value} and without a query${inSafe}, continue with its cursor, and say what is new, the latest first, with sources.`,
  },
]

const SAFE = { name: 'safe', description: 'The name of a Safe. Default: the active one.', required: false }

/** The result of `prompts/list`: slash commands of clients that have them. */
export const promptList: Result = constant({
  prompts: PROMPTS.map(({ name, title, description, argument }) => ({
    ...{ name, title, description },
    arguments: [{ ...argument, required: true }, SAFE],
  })),
})

/** The result of `prompts/get`. @throws RpcError for an unknown prompt, or a missing argument */
export function getPrompt(
  { query }: ToolNames,
  { name, arguments: args = {} }: Record<string, unknown> = {},
): Result {
  const prompt = PROMPTS.find(each => each.name === name)
  const known = PROMPTS.map(each => each.name).join(', ')
  if (!prompt) throw new RpcError(CODES.invalidParams, `There is no such prompt. The prompts are ${known}.`)
  const textOf = (key: string) => (isObject(args) && typeof args[key] === 'string' ? args[key].trim() : '')
  const [value, safe] = [textOf(prompt.argument.name), textOf('safe')]
  if (value === '') throw new RpcError(CODES.invalidParams, `"${prompt.argument.name}" is missing.`)
  const inSafe = safe === '' ? '' : `, safe ${quoted(safe)},`
  const text = prompt.text(query, quoted(value), inSafe)
  const { description } = prompt
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

/** Whether a reference of `completion/complete` is to one of them. */
export const isPrompt = (ref: unknown): boolean =>
  isObject(ref) && ref.type === 'ref/prompt' && PROMPTS.some(({ name }) => name === ref.name)
