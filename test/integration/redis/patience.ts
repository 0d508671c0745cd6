import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Response } from '../pages/browser.js'

/** Sends a request once. Asserts that an answer of 5xx is 503 with `Retry-After`. */
export async function promised(t: Test, send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  const { statusCode, headers, body } = response
  const isSilent = statusCode === 503 && !headers['retry-after']
  if (isSilent || (statusCode >= 500 && statusCode !== 503)) t.fail(`answered ${statusCode}: ${body}`)
  return response
}

/** Sends again while the answer is 503. Returns the first other answer and the number of 503s before it. */
export async function patiently(t: Test, send: () => Promise<Response>) {
  for (let refused = 0; ; refused++) {
    const response = await promised(t, send)
    if (response.statusCode !== 503) return { response, refused }
    await sleep(50)
  }
}
