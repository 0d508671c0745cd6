import { type Browser, chromium } from 'playwright-core'

/** Prevents requests of Chromium's own services. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Launches Debian's Chromium, or the one in `CHROMIUM`, headless. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...QUIET],
  })
}
