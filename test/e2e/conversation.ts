import type { Test } from 'tap'
import type { SafeRef } from './service.js'

/** A question about the sample Safe. */
export const QUESTION = 'Who leads the Lens Restoration?'
const ANSWER = /Jonas Lindqvist — leads → Lens Restoration/

/** How one client calls a tool. */
export type CallTool = (name: string, args?: Record<string, string>) => Promise<unknown>

/** The first steps of a connected assistant: it is told to choose a Safe, lists them, chooses, and asks. */
export async function converse(t: Test, call: CallTool, safe: SafeRef, other: SafeRef) {
  const undecided = await call('svc', { query: QUESTION })
  t.match(undecided, { isError: true }, 'two Safes and none selected: the assistant is told what to do')
  t.match(textOf(undecided), /svc_list_safes[\s\S]*svc_select_safe/)
  const listed = textOf(await call('svc_list_safes'))
  t.ok(listed.includes(safe.name) && listed.includes(other.name))
  await call('svc_select_safe', { safe: safe.id })
  await ask(t, call, 'the right answer, from the selected Safe')
}

/** Asks the selected Safe. */
export async function ask(t: Test, call: CallTool, why: string) {
  t.match(textOf(await call('svc', { query: QUESTION })), ANSWER, why)
}

function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content.map(part => part.text).join('\n')
}

/** The minimal call of SPEC §4.5, with only the required headers. */
export function bareCaller(url: string | URL, token: () => string): CallTool {
  return async (name, args = {}) => {
    const reply = await post(url, token(), { method: 'tools/call', params: { name, arguments: args } })
    if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
    return JSON.parse(reply.text).result
  }
}

/** Posts one JSON-RPC request. */
export async function post(url: string | URL, token: string, message: { method: string; params?: object }) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })
  return { status: response.status, text: await response.text() }
}

/** A manual refresh with a token that its client has already used. */
export async function refreshByHand(baseUrl: string, token: string, clientId: string) {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
  const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body })
  return { status: response.status, body: await response.json() }
}
