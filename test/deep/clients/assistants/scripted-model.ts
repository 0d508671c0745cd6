import type { Test } from 'tap'
import { serve } from '../../../e2e/web-server.js'

/** One request of a model API for a turn, reduced to the parts that tests use. */
export interface Turn {
  tools: { name: string; description: string; schema: { properties?: Record<string, unknown> } }[]
  /** The tool results of the conversation so far, as the model reads them. */
  results: string[]
  /** All of the request. */
  body: string
}

/**
 * The name of one of our tools, without the assistant's prefix; its arguments, possibly derived from the results so far
 * (null: the conversation ends); and an action before the call.
 */
export type Step = [tool: string, args: Args | ByResults, before?: (() => Promise<void>) | undefined]
type Args = Record<string, unknown>
type ByResults = (results: readonly string[]) => Args | null

/** The wire format of one model API. `call` and `say` are the events of a streamed reply. */
export interface Dialect {
  path: RegExp
  read(body: never): Omit<Turn, 'body'>
  call(tool: string, args: object): object[]
  say(text: string): object[]
  /** The call that makes a tool available that the assistant has not offered, if the assistant has such a call. */
  load?: (tool: string) => Step
}

export interface ScriptedModel {
  url: string
  /** Its script for every following conversation: one call per turn. After the last call it repeats the last result. */
  script: Step[]
  /** The requests so far, in order. */
  turns: Turn[]
}

/**
 * A model API on loopback whose model follows a script. It stores nothing about conversations: the number of results in
 * a request gives the next step, so any number of conversations can run at once.
 */
export async function startModel(t: Test, dialect: Dialect): Promise<ScriptedModel> {
  const model: ScriptedModel = { url: '', script: [], turns: [] }
  model.url = await serve(t, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { pathname } = new URL(request.url ?? '/', model.url)
    if (!dialect.path.test(pathname)) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"Not found"}}')
      return
    }
    const turn = { ...dialect.read(JSON.parse(body) as never), body }
    model.turns.push(turn)
    await model.script[turn.results.length]?.[2]?.()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of nextEvents(dialect, turn, model.script)) response.write(framed(event))
    response.end()
  })
  return model
}

function nextEvents(dialect: Dialect, { tools, results }: Turn, script: Step[]): object[] {
  const step = script[results.length]
  const [name = '', given = null] = step ?? []
  const args = typeof given === 'function' ? given(results) : given
  if (!args) return dialect.say(results.at(-1) ?? 'Done.')
  const offered = tools.find(tool => tool.name.endsWith(`_${name}`))
  if (offered) return dialect.call(offered.name, args)
  if (!dialect.load) return dialect.say(`There is no tool ${name}.`)
  const [tool, wanted] = dialect.load(name)
  return dialect.call(tool, wanted)
}

function framed(event: object): string {
  const name = 'type' in event ? `event: ${event.type}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}
