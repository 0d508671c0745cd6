import { type Browser, chromium } from 'playwright-core'

/** Without these flags Chromium's own services try to reach the internet, many at a time. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Debian's Chromium, headless; `CHROMIUM` may name another. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...QUIET],
  })
}
