// The pages work without this. It shows times in the reader's zone, sends the zone to the service, closes the menu, adds the buttons that copy an
// address or a command, lets "/" and Ctrl-K lead to the search field, arrows walk results, and finds a passage in another part of a long text.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
if (timeZone && !`; ${document.cookie};`.includes(`; zone=${timeZone};`)) {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing without https.
  document.cookie = `zone=${timeZone}; path=/; max-age=31536000; samesite=lax${secure}`
}

// In English, unless the reader prefers the language of the browser.
const language = document.documentElement.dataset.dates === 'browser' ? undefined : 'en-GB'
const clock = { hour: '2-digit', minute: '2-digit' }
const near = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime)
  if (Number.isNaN(at.getTime())) continue
  if (time.textContent.endsWith(' UTC') && 'clock' in time.dataset) {
    time.textContent = at.toLocaleTimeString(language, clock)
  } else if (time.textContent.endsWith(' UTC')) {
    const isThisYear = at.getFullYear() === new Date().getFullYear()
    time.textContent = at.toLocaleString(language, isThisYear ? near : { ...near, year: 'numeric' })
  }
  time.title ||= at.toLocaleString(language, { dateStyle: 'full', timeStyle: 'long' })
}

const menu = document.querySelector('details[data-menu]')
if (menu) {
  document.addEventListener('click', event => {
    if (!menu.contains(event.target)) menu.open = false
  })
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return
    menu.open = false
    menu.querySelector('summary').focus()
  })
}

const search = document.getElementById('everything')
if (search) {
  const keys = document.querySelector('[data-keys]')
  if (keys) keys.hidden = false
  document.addEventListener('keydown', event => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isShortcut && !isSlash) return
    event.preventDefault()
    // On a phone the field has its own page.
    if (search.offsetParent === null) location.assign('/search')
    else search.select()
  })
}

// Arrows walk from the search field through the list of results.
const results = document.querySelector('[data-walk]')
if (results) {
  const fields = [document.querySelector('.search-page input'), search]
  const field = fields.find(one => one?.offsetParent)
  const stops = [field, ...results.querySelectorAll('li > :first-child > a')]
  document.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const at = stops.indexOf(document.activeElement)
    if (!step || at < 0 || event.defaultPrevented || field?.getAttribute('aria-expanded') === 'true') return
    event.preventDefault()
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus()
  })
}

const passage = /^#p-(\d+)$/.exec(location.hash)?.[1]
if (passage && document.querySelector('[data-parts]') && !document.getElementById(`p-${passage}`)) {
  const query = `?passage=${passage}`
  if (location.search !== query) location.replace(`${query}${location.hash}`)
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy)
  const label = button.textContent
  if (!source || !navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.href ?? source.value ?? source.textContent)
    button.textContent = button.dataset.done
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}

for (const box of document.querySelectorAll('input[data-shows]')) {
  box.closest('label').hidden = false
  const field = document.getElementById(box.dataset.shows)
  box.addEventListener('change', () => {
    field.type = box.checked ? 'text' : 'password'
  })
}
