import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { atEnd } from './at-end.js'

/** Prevents requests of Chromium's own services. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Debian's packages of Chromium. The one without windows needs half the time. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The Chromium of the tests: the one in `CHROMIUM`, or Debian's. */
export const chromiumProgram = (): string =>
  process.env.CHROMIUM ?? PROGRAMS.find(program => existsSync(program)) ?? 'chromium'

/** Launches Chromium without a window. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumProgram(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...QUIET],
  })
}

let shared: Promise<Browser> | null = null

/** The Chromium of all tests of this process. Each test closes the pages it opens. */
export function sharedChromium(): Promise<Browser> {
  if (!shared) {
    shared = launchChromium()
    atEnd(async () => (await shared)?.close())
  }
  return shared
}
