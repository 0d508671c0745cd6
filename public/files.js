// The pages work without this: a page with a file that is being read reloads.

const status = document.querySelector('[data-status]')

/** Shows the changes since. A focused control stays as it is while its file is being read. */
function show(page) {
  const changed = []
  for (const old of document.querySelectorAll('[data-import]')) {
    const now = page.querySelector(`[data-import="${old.dataset.import}"]`)
    if (!now) continue
    if (now.dataset.state === old.dataset.state) {
      const progress = now.querySelector('[data-progress]')
      if (progress) old.querySelector('[data-progress]')?.replaceWith(progress)
      continue
    }
    const hadFocus = old.contains(document.activeElement)
    old.replaceWith(now)
    if (hadFocus) now.focus()
    changed.push(now.dataset.state)
  }
  if (changed.length > 0) status.textContent = changed.join('. ')
  document.title = page.title
  document.querySelector('[data-size]')?.replaceWith(page.querySelector('[data-size]'))
}

async function follow() {
  for (let wait = 500, busy = true; busy; wait = Math.min(wait * 1.3, 4000)) {
    await new Promise(resolve => setTimeout(resolve, wait))
    if (document.hidden) continue
    const response = await fetch(location.href).catch(() => null)
    if (!response || response.status >= 500) continue
    // Signed out, or the import was removed: the browser shows why.
    if (response.redirected || !response.ok) return location.reload()
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    busy = page.querySelector('[data-busy]') !== null
    show(page)
  }
  if (document.querySelector('[data-busy="reload"]')) location.reload()
}

if (document.querySelector('[data-busy]')) follow()
