import t from 'tap'
import { checkPages } from '../../gallery/check-pages.js'
import { looks } from '../../gallery/looks.js'

t.test('every page in every state, dark: no violations of WCAG 2.2 AA, nothing wider than the window', t =>
  checkPages(
    t,
    looks.filter(({ colorScheme }) => colorScheme === 'dark'),
  ),
)
