import t from 'tap'
import { geminiCli } from './assistants/gemini-cli.js'
import { goTheWholeWay } from './assistants/journey.js'

for (const setUp of ['embedded', 'postgres'] as const) {
  t.test(`Gemini CLI goes the whole way (${setUp})`, t => goTheWholeWay(t, geminiCli, setUp))
}
