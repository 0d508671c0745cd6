import t from 'tap'
import { claudeCode } from './assistants/claude-code.js'
import { cannotPropose, goTheWholeWay } from './assistants/journey.js'

for (const setUp of ['embedded', 'postgres'] as const) {
  t.test(`Claude Code goes the whole way (${setUp})`, t => goTheWholeWay(t, claudeCode, setUp))
}

t.test('R6 on a service without proposals Claude Code has three tools', t => cannotPropose(t, claudeCode))
