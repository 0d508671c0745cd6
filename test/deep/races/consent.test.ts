import t from 'tap'
import { type Answer, atOnce } from './lane.js'
import { shared, startTwo } from './service.js'

const ROUNDS = 10

for (const stores of shared) {
  t.test(`one consent page at two processes: ${stores}`, async t => {
    const { assistant, lanes, connections, formAt } = await startTwo(t, stores)
    const [one, other] = lanes
    const press = async (page: string, decision: string) => formAt(page, page, { decision })
    const answerOf = ({ headers }: Answer) => new URL(headers.location ?? '').searchParams

    t.test('C3 of 20 parallel decisions, half of them Cancel, exactly one takes effect', async t => {
      for (let round = 0; round < ROUNDS; round++) {
        const before = (await connections()).length
        const page = await assistant.consentPage()
        const buttons = [await press(page, 'approve'), await press(page, 'deny')]
        const clicks = buttons.flatMap(form => Array.from({ length: 10 }, (_, i) => ({ form, i })))
        const sent = clicks.map(({ form, i }) => (i % 2 ? one : other).form(page, ...form))
        const answers = await atOnce(sent, round)
        const [decided, ...more] = answers.filter(({ status }) => status === 303)
        if (!decided || more.length > 0) return t.fail(`round ${round}: ${more.length + 1} counted`)
        for (const answer of answers.filter(({ status }) => status !== 303)) {
          t.equal(answer.status, 400)
          t.equal(answer.headers.location, undefined)
          t.notMatch(answer.body, /svc_ac_/)
        }
        const code = answerOf(decided).get('code')
        t.equal((await connections()).length, before + (code ? 1 : 0))
        if (code) t.equal((await assistant.redeem(code)).statusCode, 200)
        else t.equal(answerOf(decided).get('error'), 'access_denied')
      }
    })

    t.test('C3 a decision repeated at the other process returns a page, not a second code', async t => {
      const page = await assistant.consentPage()
      const form = await press(page, 'approve')
      const first = await (await one.form(page, ...form)).finish()
      const before = (await connections()).length
      const again = await (await other.form(page, ...form)).finish()
      t.match(again, { status: 400, headers: { location: undefined, 'content-type': /^text\/html/ } })
      t.equal((await connections()).length, before)
      t.equal((await assistant.redeem(answerOf(first).get('code') ?? '')).statusCode, 200)
    })

    t.test('C2 two tabs with two requests, decided at once at two processes, both succeed', async t => {
      for (let round = 0; round < ROUNDS; round++) {
        const states = [`first ${round}`, `second ${round}`]
        const pages = await Promise.all(states.map(state => assistant.consentPage({ state })))
        const forms = await Promise.all(pages.map(page => press(page, 'approve')))
        const sent = lanes.map((lane, i) => lane.form(pages[i] as string, ...(forms[i] as (typeof forms)[0])))
        const answers = await atOnce(sent, round)
        t.strictSame(
          answers.map(answer => answerOf(answer).get('state')),
          states,
        )
        for (const answer of answers) {
          t.equal((await assistant.redeem(answerOf(answer).get('code') ?? '')).statusCode, 200)
        }
      }
    })

    t.test('C2 one request open in two tabs is decided in either', async t => {
      for (const lane of lanes) {
        const page = await assistant.consentPage()
        const [earlier, later] = [await press(page, 'approve'), await press(page, 'approve')]
        t.equal((await (await lane.form(page, ...(lane === one ? earlier : later))).finish()).status, 303)
      }
    })
  })
}
