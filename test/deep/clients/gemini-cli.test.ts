import t from 'tap'
import { geminiCli } from './assistants/gemini-cli.js'
import { cannotPropose, goTheWholeWay } from './assistants/journey.js'

for (const setUp of ['embedded', 'postgres'] as const) {
  t.test(`Gemini CLI goes the whole way (${setUp})`, t => goTheWholeWay(t, geminiCli, setUp))
}

t.test('R6 on a service without proposals Gemini CLI has three tools', t => cannotPropose(t, geminiCli))
