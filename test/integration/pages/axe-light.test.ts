import t from 'tap'
import { checkPages } from '../../gallery/check-pages.js'
import { looks } from '../../gallery/looks.js'

t.test(
  'every page in every state, light: no violations of WCAG 2.2 AA, nothing wider than the window, all within reach of Tab',
  t =>
    checkPages(
      t,
      looks.filter(({ colorScheme }) => colorScheme === 'light'),
    ),
)
