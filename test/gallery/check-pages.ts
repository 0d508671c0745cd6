import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { rootDir } from '../../platform/common/package.js'
import { sharedChromium } from '../chromium.js'
import { freePort } from '../free-port.js'
import { build } from '../helper.js'
import { keyboardProblems } from './keyboard.js'
import { type Look, Visitor } from './looks.js'
import { GALLERY_SETTINGS, type Subject, scenes } from './scenes.js'

const axe = readFileSync(join(rootDir, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')
const OPTIONS: RunOptions = {
  // WCAG 2.2 AA, and the best practices of axe.
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  // Describing passed checks takes longer than finding failed ones.
  resultTypes: ['violations'],
  selectors: false,
  iframes: false,
}

/**
 * Checks pages: every state of all with axe, for overflow of the window, and by keyboard (in the look `light`); or one
 * state of the pages about a subject, with axe and for overflow.
 */
export async function checkPages(t: Test, looks: readonly Look[], states: 'all' | Subject): Promise<void> {
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const env = { BASE_URL: baseUrl, ...GALLERY_SETTINGS }
  const [app, browser] = await Promise.all([build(t, { env }), sharedChromium()])
  // With one state each, no page depends on the one before.
  const options = { script: axe, tabs: states === 'all' ? 1 : 2 }
  const open = (look: Look) => Visitor.open(browser, baseUrl, look, options)
  const [visitors] = await Promise.all([
    Promise.all(looks.map(open)),
    app.listen({ port, host: 'localhost' }),
  ])
  t.teardown(() => Promise.all(visitors.map(visitor => visitor.close())))
  const seen = new Set<string>()
  const ofAll = states === 'all'
  for await (const { about, signedInAs, shots } of scenes(app, ofAll ? undefined : states)) {
    if (!ofAll && about !== states) continue
    const chosen = ofAll ? shots : shots.filter(({ name }) => isNew(seen, pageOf(name)))
    if (chosen.length === 0) continue
    for (const visitor of visitors) {
      const { name: look } = visitor.look
      await visitor.visit({ signedInAs, shots: chosen }, async (page, name) => {
        t.same(await violationsOf(page), [], `${name}, ${look}`)
        t.notOk(await isTooWide(page), `${name}, ${look}: fits into the window`)
        if (states === 'all' && look === 'light')
          t.same(await keyboardProblems(page), [], `${name}, by keyboard`)
      })
    }
  }
}

/** `safe-answer` is a state of `safe`. */
const pageOf = (shot: string) => shot.replace(/-.*/, '')

function isNew(seen: Set<string>, name: string): boolean {
  const before = seen.size
  return seen.add(name).size > before
}

/** Each as "rule: elements". */
async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(OPTIONS)})`)) as AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

const isTooWide = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
