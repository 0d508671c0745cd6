import t from 'tap'
import { codex } from './assistants/codex.js'
import { cannotPropose, goTheWholeWay } from './assistants/journey.js'

for (const setUp of ['embedded', 'postgres'] as const) {
  t.test(`Codex goes the whole way (${setUp})`, t => goTheWholeWay(t, codex, setUp))
}

t.test('R6 on a service without proposals Codex has three tools', t => cannotPropose(t, codex))
