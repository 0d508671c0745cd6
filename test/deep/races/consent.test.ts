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
  })
}
