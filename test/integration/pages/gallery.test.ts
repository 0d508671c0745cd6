import t from 'tap'
import { checkPages } from '../../gallery/check-pages.js'
import { looks } from '../../gallery/looks.js'

// In every state, in dark, at 320 pixels and without scripts: test/deep/looks.
t.test('every page follows WCAG 2.2 AA, fits into the window and is used by keyboard', t =>
  checkPages(t, looks.slice(0, 1), 'one'),
)
