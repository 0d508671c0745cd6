import { escapeHtml } from '../platform/common/escape-html.js'

/** As `showTime` writes them. */
const SHOWN = /\b(\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d{2}:\d{2}) UTC\b/g

/** A text as HTML in which times of `showTime` are elements, which `public/page.js` shows in the reader's zone. */
export function markTimes(text: string): string {
  return escapeHtml(text).replace(SHOWN, (shown, time: string) => {
    const at = Date.parse(`${time.replace('Sept', 'Sep').replace(',', '')} UTC`)
    return Number.isNaN(at) ? shown : `<time datetime="${new Date(at).toISOString()}">${shown}</time>`
  })
}
