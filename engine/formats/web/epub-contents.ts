import { readXml } from '../shared/xml-elements.js'

/** An entry of a table of contents. */
interface Entry {
  /** Relative to the file of the table of contents. */
  href: string
  title: string
  /** From 1. */
  level: number
}

const MAX_ENTRIES = 10_000
const MAX_TITLE = 300

/** The entries of a navigation document (EPUB 3.3 §7) or of an NCX (OPF 2.0 §2.4.1). */
export function entriesOf(xml: string): Entry[] {
  const entries: Entry[] = []
  let [level, title, href] = [0, '', '']
  /** Lists of pages and landmarks are not a table of contents. */
  let isToc = true
  const add = () => {
    const text = title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE)
    if (isToc && text !== '' && href !== '' && entries.length < MAX_ENTRIES)
      entries.push({ href, title: text, level })
    href = ''
  }
  readXml(xml, {
    onopentag: (name, attributes) => {
      if (name === 'nav') isToc = /^(?:toc)?$/.test(attributes['epub:type'] ?? '')
      else if (name === 'pageList') isToc = false
      else if (name === 'ol' || name === 'navPoint') level++
      if (/^(?:a|text|navLabel)$/.test(name)) title = ''
      if (name === 'a') href = attributes.href ?? ''
      else if (name === 'content') {
        href = attributes.src ?? ''
        add()
      }
    },
    ontext: text => {
      if (title.length < MAX_TITLE) title += text
    },
    onclosetag: name => {
      if (name === 'a') add()
      else if (name === 'ol' || name === 'navPoint') level--
    },
  })
  return entries
}
