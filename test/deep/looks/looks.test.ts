import t from 'tap'
import { checkPages } from '../../gallery/check-pages.js'
import { looks } from '../../gallery/looks.js'

t.test(
  'every page in every state and look follows WCAG 2.2 AA, fits into the window and is used by keyboard',
  t => checkPages(t, looks, 'all'),
)
