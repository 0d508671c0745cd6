import type { Browser, Page, Route } from 'playwright-core'
import { EMAIL, PASSWORD, type Scene, type Shot } from './scenes.js'

export interface Look {
  name: string
  colorScheme: 'light' | 'dark'
  width: 320 | 1280
  /** Whether scripts run. */
  scripts: boolean
}

/** Each pair of theme, width and scripts occurs. */
export const looks: readonly Look[] = [
  { name: 'light', colorScheme: 'light', width: 1280, scripts: true },
  { name: 'dark-small', colorScheme: 'dark', width: 320, scripts: true },
  { name: 'light-small-plain', colorScheme: 'light', width: 320, scripts: false },
  { name: 'dark-plain', colorScheme: 'dark', width: 1280, scripts: false },
]

interface Visits {
  /** Runs in each page. */
  script?: string
  /** How many pages are open at a time: more than one where none depends on the one before. */
  tabs?: number
}

/** Opens every page of a scene in one look, and calls `visit` for each. */
export async function visitAll(
  browser: Browser,
  baseURL: string,
  scene: Scene,
  { colorScheme, width, scripts }: Look,
  visit: (page: Page, name: string) => Promise<void>,
  { script, tabs = 1 }: Visits = {},
): Promise<void> {
  const context = await browser.newContext({ baseURL, colorScheme, viewport: { width, height: 900 } })
  const visitShots = async (page: Page, shots: readonly Shot[]) => {
    if (!scripts) await page.route(url => !url.pathname.startsWith('/assets/'), withoutScripts)
    for (const { name, path, reach } of shots) {
      await page.goto(path)
      await reach?.(page)
      // With its style sheet, also where a form has led.
      await page.waitForLoadState('load')
      await visit(page, name)
    }
  }
  try {
    const first = await context.newPage()
    if (scene.signedInAs) await signIn(first)
    // Into each page at once: a browser keeps what it has compiled of it.
    if (script) await context.addInitScript(script)
    const shares = Array.from({ length: tabs }, (_, tab) => scene.shots.filter((_, at) => at % tabs === tab))
    const open = shares.map(async (shots, tab) =>
      visitShots(tab === 0 ? first : await context.newPage(), shots),
    )
    await Promise.all(open)
  } finally {
    await context.close()
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.fill('[name=email]', EMAIL)
  await page.fill('[name=password]', PASSWORD)
  await page.click('main button')
  await page.waitForURL(/\/$/)
}

/**
 * The page as a browser without scripts shows it. Scripts are taken out of it rather than switched off, because
 * tools that look at the page, such as axe, need them.
 */
async function withoutScripts(route: Route): Promise<void> {
  const response = await route.fetch({ maxRedirects: 0 })
  if (!response.headers()['content-type']?.includes('text/html')) return route.fulfill({ response })
  const html = (await response.text())
    .replace(/<script[^>]*><\/script>/g, '')
    .replace(/<\/?noscript>/g, '')
    // It would open the page again and again while it is looked at.
    .replace(/<meta http-equiv="refresh"[^>]*>/g, '')
  return route.fulfill({ response, body: html })
}
