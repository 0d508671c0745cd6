import type { Test } from 'tap'
import { type BuildOptions, build, testClock } from '../../helper.js'
import { refused } from '../../written.js'
import { Assistant } from './assistant.js'

/** The service, a client whose user Ann is signed in, another client, and a test clock. */
export async function startSignedIn(t: Test, options: BuildOptions = {}) {
  const clock = testClock(Date.now())
  const app = await build(t, { clock, ...options })
  const assistant = await Assistant.registered(app)
  const other = await Assistant.registered(app)
  await assistant.browser.signIn('ann@a.example')
  const ann = await app.accounts.findByEmail('ann@a.example')
  if (!ann) throw new Error('Ann has no account')
  /** The connection of a code or token, as listed for Ann. */
  const shown = async (token: string) =>
    (await app.oauth.connections.listFor(ann.id)).find(({ id }) => id === token.split('_')[2])
  /** Expects an error in the form of all JSON endpoints (T2), without writes or disclosed data. */
  const refuses = async (
    t: Test,
    name: string,
    send: () => ReturnType<Assistant['form']>,
    status: number,
    error: string,
  ) => {
    const response = await refused(t, app, name, send)
    t.equal(response.statusCode, status, name)
    t.match(response.headers, {
      'content-type': /^application\/json/,
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    // RFC 6749 §5.2 limits the characters of a description.
    t.match(response.json(), { error, error_description: /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/ }, name)
    t.strictSame(Object.keys(response.json()).sort(), ['error', 'error_description'], name)
    return response
  }
  return { app, clock, assistant, other, ann, shown, refuses }
}
