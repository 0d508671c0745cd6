import type { Attack } from '../attack.js'
import { Browser } from '../browser.js'

const ADDRESSES = 80
const SECONDS = 8

/** Wrong passwords from 80 addresses, each with several under way, while somebody signs in who was here before. */
export const attack: Attack = {
  name: 'wrong passwords from 80 addresses',
  honest: 'sign-in',
  // Without turns one sign-in of twelve got through, without priority in load shedding six of seven; now all do.
  limits: { holdMs: 100, honestShare: 0.9 },
  async run({ url }) {
    const endsAt = performance.now() + SECONDS * 1000
    async function guess(i: number): Promise<void> {
      const browser = new Browser(url, `203.0.113.${i}`)
      while (performance.now() < endsAt) {
        await browser.signIn(`guess-${i}@a.example`, 'a wrong password', 2000).catch(() => {})
        // Refused at once, an attacker waits as little as it can.
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
    await Promise.all(Array.from({ length: ADDRESSES * 3 }, (_, i) => guess(i % ADDRESSES)))
  },
}
