import t from 'tap'
import { checkDamages } from '../../integration/postgres/shared-index.js'

t.test('a snapshot that is damaged anywhere is built again and replaced', t => checkDamages(t))
