import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler, type ValueError } from '@sinclair/typebox/compiler'
import { DomainError } from '../platform/common/domain-error.js'
import { hasNul } from '../platform/common/has-nul.js'
import { readArguments } from './arguments.js'
import type { Domain, RequestContext } from './context.js'
import { CODES, RpcError } from './json-rpc.js'
import { isObject } from './revisions/envelope.js'
import { hasStructuredResults } from './revisions/protocol-version.js'

interface ToolDefinition<Input extends TObject, Output extends TObject> {
  name: string
  title: string
  description: string
  annotations: ToolAnnotations
  /**
   * The schema that is listed and validates calls after `readArguments`. Closed
   * (`additionalProperties: false`); describes every field.
   */
  input: Input
  /** A stricter schema to list, if calls are validated more leniently (RULES X14). */
  listed?: TObject
  output: Output
  /** Its lists are sent even if empty, as ChatGPT requires for `search`. */
  sendsEmpty?: true
  /** Maps names that models use by mistake to fields. Not listed. */
  synonyms?: Record<string, keyof Static<Input> & string>
  /**
   * Returns the result as data and as text. Both contain the hints and next steps, because some clients show
   * their model only one of them; `notes` are hints about the arguments.
   * @throws ToolError, DomainError; their messages are sent to the model
   */
  run(
    input: Static<Input>,
    context: RequestContext,
    domain: Domain,
    notes: readonly string[],
  ): Promise<{ output: Static<Output>; text: string }>
}

export interface Tool {
  name: string
  /** The entry in `tools/list` for a revision. */
  listed(revision: string): Record<string, unknown>
  /** @throws only internal errors; errors of the caller or the domain are results */
  call(args: Record<string, unknown>, context: RequestContext, domain: Domain): Promise<CallToolResult>
}

/** The annotations of a tool that only reads the service's data. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** The part of every result that tells the model what to do next; also part of the text. */
export const Hints = Type.Array(Type.String(), {
  description: 'What to do next, and what to know about the result.',
})

/** A text or null. Some clients lose the types of alternatives (docs/clients.md). */
export const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })

/** The result of `tools/call`, for a connection with these tools. @throws RpcError for an unknown tool, and internal errors */
export function callTool(
  tools: ReadonlyMap<string, Tool>,
  { name, arguments: args = {} }: Record<string, unknown>,
  context: RequestContext,
  domain: Domain,
): Promise<CallToolResult> {
  if (typeof name !== 'string' || !isObject(args)) {
    throw new RpcError(CODES.invalidParams, '"name" must be a string and "arguments" an object.')
  }
  const tool = tools.get(name)
  if (!tool) {
    const known = [...tools.keys()].join(', ')
    throw new RpcError(CODES.invalidParams, `There is no such tool. The tools are ${known}.`)
  }
  return tool.call(args, context, domain)
}

/** An error whose message tells the model what to do instead. */
export class ToolError extends Error {}

/** Defines a tool whose arguments are validated by its schema. */
export function defineTool<Input extends TObject, Output extends TObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const {
    name,
    title,
    description,
    annotations,
    input,
    listed = input,
    output,
    sendsEmpty = false,
    synonyms = {},
    run,
  } = definition
  // Compiled on the first call, because compiling the schemas of all tools would slow down every start.
  let compiled: TypeCheck<Input> | undefined
  const basic = { name, title, description, annotations: { title, ...annotations }, inputSchema: listed }
  const structured = { ...basic, outputSchema: sendsEmpty ? output : withOptionalLists(output) }
  return {
    name,
    listed: revision => (hasStructuredResults(revision) ? structured : basic),
    async call(args, context, domain) {
      compiled ??= TypeCompiler.Compile(input)
      const check = compiled
      const { values, notes } = readArguments(args, listed, synonyms)
      if (!check.Check(values))
        return errorResult([invalidArgument(listed, check.Errors(values).First()), ...notes].join(' '))
      if (hasNul(values)) return errorResult('Text must not contain NUL characters. Remove them.')
      try {
        const { output, text } = await run(values, context, domain, notes)
        const content = [{ type: 'text' as const, text }]
        if (!hasStructuredResults(context.revision)) return { content }
        const structuredContent = sendsEmpty ? output : withoutEmpty(inOrder(output))
        return { content, structuredContent }
      } catch (error) {
        if (error instanceof ToolError) return errorResult(error.message)
        if (error instanceof DomainError && error.status < 500) return errorResult(error.message)
        throw error
      }
    },
  }
}

/** The first part of a result, because some clients show only the first 500 characters (docs/clients.md). */
const FIRST = ['safe', 'mode', 'verdict', 'confidence', 'next_cursor', 'lead']

type Json = Record<string, unknown>

function inOrder(output: Json): Json {
  const present = FIRST.filter(key => key in output)
  return Object.assign(Object.fromEntries(present.map(key => [key, output[key]])), output)
}

/** Leaves out empty lists, which cost a model tokens (RULES R8). Runs for every answer: `Object.entries` takes ten times as long. */
function withoutEmpty<Value>(value: Value): Value
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => withoutEmpty(item))
  if (!isObject(value)) return value
  const kept: Json = {}
  for (const key in value) {
    const item = value[key]
    if (typeof item !== 'object') kept[key] = item
    else if (!(Array.isArray(item) && item.length === 0)) kept[key] = withoutEmpty(item)
  }
  return kept
}

/** The schema for the result of `withoutEmpty`: its lists are optional. */
function withOptionalLists(schema: TSchema): Json {
  const { items, properties, required } = schema
  const entries = Object.entries<TSchema>(properties ?? {})
  return {
    ...schema,
    ...(items && { items: withOptionalLists(items) }),
    ...(properties && {
      properties: Object.fromEntries(entries.map(([key, each]) => [key, withOptionalLists(each)])),
      required: required?.filter((key: string) => properties[key].type !== 'array'),
    }),
  }
}

/** Maximum characters of a line, because opencode drops longer ones (docs/clients.md). */
const MAX_LINE = 2_000

/** Breaks longer lines at a space, or between characters where there is none. */
export function inLines(text: string): string {
  return text
    .split('\n')
    .flatMap(line => {
      const parts: string[] = []
      let at = 0
      while (line.length - at > MAX_LINE) {
        const space = line.lastIndexOf(' ', at + MAX_LINE)
        const isPair = (line.charCodeAt(at + MAX_LINE - 1) & 0xfc00) === 0xd800
        const end = space > at ? space : at + MAX_LINE - (isPair ? 1 : 0)
        parts.push(line.slice(at, end))
        at = space > at ? end + 1 : end
      }
      return [...parts, line.slice(at)]
    })
    .join('\n')
}

/** Begins with "Error:", because several frameworks show their model only the text (docs/clients.md). */
function errorResult(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `Error: ${message}` }] }
}

/** A message that lets a model correct its call: the field, the expected value and the actual value. */
function invalidArgument(input: TObject, error: ValueError | undefined): string {
  const field = error?.path.slice(1).split('/', 1)[0] ?? ''
  const schema = input.properties[field] ?? input
  if (schema.type === 'array') return `"${field}" should be ${expectation(schema)}.`
  const got = error?.value === undefined ? 'it is missing' : `it was ${excerpt(error.value)}`
  return `"${field}" should be ${expectation(schema)}, but ${got}.`
}

function excerpt(value: unknown): string {
  // Objects are not serialized, because they may be nested thousands of levels deep.
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  if (typeof value === 'string' && value.length > 40) return `${value.length} characters long`
  return JSON.stringify(value).slice(0, 60)
}

function expectation(schema: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength, maxItems, enum: values, examples } = schema
  if (values) return values.map((value: string) => JSON.stringify(value)).join(' or ')
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (type === 'string') return `text of ${minLength ?? 1} to ${maxLength} characters`
  if (type === 'array') return `a list of at most ${maxItems}, like ${JSON.stringify(examples?.[0])}`
  return `of type ${type}`
}
