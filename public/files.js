// The pages work without this: files can be chosen in a dialog, and a page with a file that is being read reloads.

for (const form of document.querySelectorAll('form[data-drop]')) {
  const input = form.querySelector('input[type=file]')
  form.querySelector('[data-drop-hint]').hidden = false
  // Outside the form too, because a browser would open a file that is dropped beside it.
  document.addEventListener('dragover', event => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    form.classList.add('dropping')
  })
  document.addEventListener('dragleave', event => {
    if (!event.relatedTarget) form.classList.remove('dropping')
  })
  document.addEventListener('drop', event => {
    if (!event.dataTransfer?.files.length) return
    event.preventDefault()
    form.classList.remove('dropping')
    input.files = event.dataTransfer.files
    input.focus()
  })
}

const status = document.querySelector('[data-status]')

/** Shows what changed since. A control that has the focus stays as it is while its file is being read. */
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
}

if (document.querySelector('[data-busy]')) follow()
