import type { Page } from 'playwright-core'

/** Pages with more stops are lists: only their beginning is walked. */
const MAX = 60
/** Pressed before the check whether the page was left. */
const AT_ONCE = 12

interface Stop {
  html: string
  isSame: boolean
  isSeen: boolean
  isMarked: boolean
}

/**
 * Before every Tab, records where the last one stopped and whether a person can see it, until the page is left. Runs in
 * the page.
 */
const NOTE_STOPS = `(() => {
  // Some pages focus their first field.
  document.activeElement?.blur()
  // Its own listener, because a page that only changes its address keeps its listeners.
  const walk = (window.walk = { stops: [], hasLeft: false })
  let last = null
  let tabs = 0
  addEventListener('keydown', () => {
    const element = document.activeElement
    walk.hasLeft ||= tabs > 0 && (!element || element === document.body)
    if (tabs++ === 0 || walk.hasLeft) return
    const { outlineStyle, boxShadow } = getComputedStyle(element)
    // In a picture the box of the name is marked.
    const box = element.querySelector('rect.target')
    // Its day, month, year and calendar are separate stops, which the browser marks.
    const isWithin = element.type === 'date' && element === last
    const { top, bottom, width, height } = element.getBoundingClientRect()
    walk.stops.push({
      html: element.outerHTML.slice(0, 120),
      isSame: element === last && !isWithin,
      isSeen: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
      isMarked: isWithin || outlineStyle !== 'none' || boxShadow !== 'none' || (box && getComputedStyle(box).stroke !== 'none'),
    })
    last = element
  }, true)
})()`

/** Walks through a page by Tab. Returns stops that are hidden or unmarked, and traps. */
export async function keyboardProblems(page: Page): Promise<string[]> {
  await page.evaluate(NOTE_STOPS)
  let hasLeft: unknown = false
  for (let pressed = 0; pressed < MAX && !hasLeft; pressed += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => page.keyboard.press('Tab')))
    hasLeft = await page.evaluate('window.walk.hasLeft')
  }
  const stops = (await page.evaluate('window.walk.stops')) as Stop[]
  if (stops.length === 0) return ['Tab reaches nothing']
  return stops.flatMap(({ html, isSame, isSeen, isMarked }) => [
    ...(isSeen ? [] : [`not seen: ${html}`]),
    ...(isMarked ? [] : [`not marked: ${html}`]),
    ...(isSame ? [`stays at: ${html}`] : []),
  ])
}
