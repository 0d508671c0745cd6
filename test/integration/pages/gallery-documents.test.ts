import t from 'tap'
import { checkPages } from '../../gallery/check-pages.js'
import { looks } from '../../gallery/looks.js'

// In every state, in dark, at 320 pixels, without scripts and by keyboard: test/deep/looks.
t.test('every page of documents follows WCAG 2.2 AA and fits into the window', t =>
  checkPages(t, looks.slice(0, 1), 'documents'),
)
