import type { Page } from 'playwright-core'

/** More stops than this are lists, of which the beginning is walked. */
const MOST = 60

interface Stop {
  html: string
  isSame: boolean
  isSeen: boolean
  isMarked: boolean
}

/** Where Tab stops, and whether a person sees that it does. Runs in the page. */
const STOP = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return null
  const isSame = element === window.lastStop
  window.lastStop = element
  const { outlineStyle, boxShadow } = getComputedStyle(element)
  // In a picture the box of the name is marked.
  const box = element.querySelector('rect.target')
  const { top, bottom, width, height } = element.getBoundingClientRect()
  return {
    html: element.outerHTML.slice(0, 120),
    isSame,
    isSeen: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
    isMarked: outlineStyle !== 'none' || boxShadow !== 'none' || (box && getComputedStyle(box).stroke !== 'none'),
  }
})()`

/** Walks through a page by Tab. Returns the stops that are not seen or not marked, and traps. */
export async function keyboardProblems(page: Page): Promise<string[]> {
  const problems: string[] = []
  let stops = 0
  // Some pages focus their first field.
  await page.evaluate('document.activeElement?.blur()')
  for (; stops < MOST; stops++) {
    await page.keyboard.press('Tab')
    const stop = (await page.evaluate(STOP)) as Stop | null
    if (!stop) break
    if (!stop.isSeen) problems.push(`not seen: ${stop.html}`)
    if (!stop.isMarked) problems.push(`not marked: ${stop.html}`)
    if (stop.isSame) problems.push(`stays at: ${stop.html}`)
  }
  if (stops === 0) problems.push('Tab reaches nothing')
  return problems
}
