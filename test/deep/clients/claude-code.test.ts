import t from 'tap'
import { claudeCode } from './assistants/claude-code.js'
import { goTheWholeWay } from './assistants/journey.js'

for (const setUp of ['embedded', 'postgres'] as const) {
  t.test(`Claude Code goes the whole way (${setUp})`, t => goTheWholeWay(t, claudeCode, setUp))
}
