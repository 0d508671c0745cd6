import { type Browser, chromium } from 'playwright-core'
import { atEnd } from './at-end.js'

/** Prevents requests of Chromium's own services. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Launches Debian's Chromium, or the one in `CHROMIUM`, headless. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...QUIET],
  })
}

let shared: Promise<Browser> | null = null

/** The Chromium of all tests of this process. What a test opens in it, it closes. */
export function sharedChromium(): Promise<Browser> {
  if (!shared) {
    shared = launchChromium()
    atEnd(async () => (await shared)?.close())
  }
  return shared
}
