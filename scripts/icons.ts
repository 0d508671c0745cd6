// Renders public/icon.svg as the PNG icons that MCP clients and home screens show: npm run docs -- icons
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../platform/common/package.js'
import { launchChromium } from '../test/chromium.js'

const COLOUR = '#0f766e'
const folder = join(rootDir, 'public')
// White on a filled square, because clients show it on light and on dark, and some paint transparent corners white.
const picture = readFileSync(join(folder, 'icon.svg'), 'utf8').replaceAll(COLOUR, '#fff')

const browser = await launchChromium()
try {
  for (const size of [48, 192, 512]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(`<body style="margin:0;background:${COLOUR}">${picture}`)
    await page.screenshot({ path: join(folder, `icon-${size}.png`) })
    await page.close()
  }
} finally {
  await browser.close()
}
