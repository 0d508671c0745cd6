import type { Test } from 'tap'
import type { Fields } from '../../integration/oauth/assistant.js'
import { atOnce } from './lane.js'
import type { Service } from './service.js'

/**
 * Presents a code or a refresh token 20 times at once, 10 times at each of two processes. Asserts that one attempt
 * succeeds, that all others get the same error, and that the tokens work at both. @returns the tokens
 */
export async function oneWins(t: Test, { lanes }: Service, form: Fields, seed: number) {
  const attempts = Array.from({ length: 10 }, () => lanes.map(lane => lane.form('/oauth/token', form)))
  const answers = await atOnce(attempts.flat(), seed)
  const won = answers.filter(({ status }) => status === 200)
  const lost = answers.filter(({ status }) => status !== 200)
  t.equal(won.length, 1, `round ${seed}`)
  t.strictSame(new Set(lost.map(({ status }) => status)), new Set([400]))
  t.equal(new Set(lost.map(({ body }) => body)).size, 1, 'all get the same answer')
  t.equal(lost[0]?.json().error, 'invalid_grant')
  const { access_token = '', refresh_token = '' } = won[0]?.json() ?? {}
  for (const lane of lanes) t.ok(await lane.opens(access_token))
  return { access_token, refresh_token }
}

/** Codes, one after another, each presented 20 times at once. */
export async function codesAreRedeemedOnce(t: Test, service: Service, rounds: number): Promise<void> {
  const { assistant, accessTokensOf } = service
  for (let round = 0; round < rounds; round++) {
    const form = assistant.redemption(await assistant.code())
    const { access_token, refresh_token } = await oneWins(t, service, form, round)
    t.equal(await accessTokensOf(access_token), 1, 'the others wrote nothing')
    t.equal((await assistant.refresh(refresh_token)).statusCode, 200)
  }
}

/** The refresh tokens of a connection, one after another, each presented 20 times at once. */
export async function tokensAreRefreshedOnce(t: Test, service: Service, rounds: number): Promise<void> {
  const { assistant, accessTokensOf } = service
  let { access_token, refresh_token } = await assistant.connect()
  for (let round = 0; round < rounds; round++) {
    ;({ access_token, refresh_token } = await oneWins(t, service, assistant.refreshing(refresh_token), round))
    t.equal(await accessTokensOf(access_token), round + 2, 'the others wrote nothing')
  }
}
