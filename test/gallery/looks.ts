import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { EMAIL, PASSWORD, type Scene } from './scenes.js'

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

interface VisitorOptions {
  /** Runs in each page. */
  script?: string
  /** Pages open at a time: several if none depends on the one before. */
  tabs?: number
}

/**
 * A person with one look, who goes from scene to scene in the same pages, so that the browser keeps its compiled code.
 */
export class Visitor {
  readonly look: Look
  readonly #context: BrowserContext
  readonly #pages: Page[]
  #signedInAs: string | null = null

  private constructor(look: Look, context: BrowserContext, pages: Page[]) {
    this.look = look
    this.#context = context
    this.#pages = pages
  }

  static async open(
    browser: Browser,
    baseURL: string,
    look: Look,
    { script, tabs = 1 }: VisitorOptions = {},
  ): Promise<Visitor> {
    const { colorScheme, width, scripts } = look
    const context = await browser.newContext({ baseURL, colorScheme, viewport: { width, height: 900 } })
    const open = async () => {
      const page = await context.newPage()
      if (script) await page.addInitScript(script)
      if (!scripts) await page.route(url => !url.pathname.startsWith('/assets/'), withoutScripts)
      return page
    }
    return new Visitor(look, context, await Promise.all(Array.from({ length: tabs }, open)))
  }

  /** Opens every page of a scene, and calls `visit` for each. */
  async visit(
    { signedInAs, shots }: Omit<Scene, 'about'>,
    visit: (page: Page, name: string) => Promise<void>,
  ): Promise<void> {
    const [first] = this.#pages
    if (signedInAs !== this.#signedInAs && first) await signIn(first, EMAIL, PASSWORD)
    this.#signedInAs = signedInAs
    await Promise.all(
      this.#pages.map(async (page, tab) => {
        for (const { name, path, reach } of shots.filter((_, at) => at % this.#pages.length === tab)) {
          await page.goto(path)
          await reach?.(page)
          // With its style sheet, also after a form.
          await page.waitForLoadState('load')
          await visit(page, name)
        }
      }),
    )
  }

  close(): Promise<void> {
    return this.#context.close()
  }
}

/** Signs in on its page, which leads to Home. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(/\/$/)
}

/**
 * The page as a browser without scripts shows it. Scripts are removed instead of switched off, because tools such as
 * axe need them.
 */
async function withoutScripts(route: Route): Promise<void> {
  const response = await route.fetch({ maxRedirects: 0 })
  if (!response.headers()['content-type']?.includes('text/html')) return route.fulfill({ response })
  const html = (await response.text())
    .replace(/<script[^>]*><\/script>/g, '')
    .replace(/<\/?noscript>/g, '')
    // The page would reload while it is checked.
    .replace(/<meta http-equiv="refresh"[^>]*>/g, '')
  return route.fulfill({ response, body: html })
}
