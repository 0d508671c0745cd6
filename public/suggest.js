// Suggests names while typing: the combobox with a list of the ARIA Authoring Practices. Forms work without it. The link
// that removes the filter of the box at the top then needs no new page.
for (const input of document.querySelectorAll('input[data-suggest]')) addSuggestions(input)

function addSuggestions(input) {
  const list = document.createElement('ul')
  list.id = `${input.id}-names`
  list.className = 'suggestions'
  list.hidden = true
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', input.dataset.label)
  input.after(list)
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')

  let timer
  let request
  let current = -1

  const close = () => {
    clearTimeout(timer)
    request?.abort()
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    mark(-1)
  }

  const mark = place => {
    const options = [...list.children]
    current = options.length === 0 ? -1 : place
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === current))
    if (current < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', options[current].id)
    options[current]?.scrollIntoView({ block: 'nearest' })
  }

  const choose = option => {
    close()
    if (option.dataset.fill) {
      input.value = input.value.slice(0, input.value.lastIndexOf(' ') + 1) + option.dataset.fill
      input.focus()
    } else if ('fill' in input.dataset) {
      input.value = option.dataset.name
      input.focus()
    } else location.assign(option.dataset.href)
  }

  const show = names => {
    const options = names.map(({ name, type, href, fill }, at) => {
      const option = document.createElement('li')
      option.id = `${list.id}-${at}`
      option.setAttribute('role', 'option')
      option.dataset.href = href
      if (fill) option.dataset.fill = fill
      option.dataset.name = name
      const written = document.createElement('bdi')
      written.textContent = name
      option.append(written)
      if (type) {
        const kind = document.createElement('small')
        kind.textContent = type
        option.append(kind)
      }
      return option
    })
    list.replaceChildren(...options)
    list.hidden = options.length === 0
    input.setAttribute('aria-expanded', String(options.length > 0))
    mark(-1)
  }

  const ask = async () => {
    const text = input.value.trim()
    if (text === '' && input.form && 'everywhere' in input.form.dataset) return show(recent(input))
    if (text.length < 2 || text.length > 200) return close()
    request?.abort()
    request = new AbortController()
    try {
      const within = input.dataset.within ? { in: input.dataset.within } : {}
      const address = `${input.dataset.suggest}?${new URLSearchParams({ q: text, ...within })}`
      const response = await fetch(address, {
        signal: request.signal,
        headers: { Accept: 'application/json' },
      })
      if (!response.ok || response.redirected) return close()
      show((await response.json()).names)
    } catch {
      // The user kept typing, or the service cannot be reached: the form still works.
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(ask, 150)
  })
  input.addEventListener('focus', () => {
    if (input.value === '') ask()
  })
  input.addEventListener('blur', close)
  input.addEventListener('keydown', event => {
    const last = list.children.length - 1
    if (list.hidden || event.isComposing) return
    if (event.key === 'ArrowDown') mark(current === last ? -1 : current + 1)
    else if (event.key === 'ArrowUp') mark(current === -1 ? last : current - 1)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && current >= 0) choose(list.children[current])
    else return
    event.preventDefault()
  })
  // Before the input loses the focus.
  list.addEventListener('mousedown', event => {
    const option = event.target.closest('[role=option]')
    event.preventDefault()
    if (option) choose(option)
  })
}

// The questions that were asked last in this browser, kept in it.
function recent(input) {
  try {
    const questions = JSON.parse(localStorage.getItem('questions') ?? '[]')
    return questions.map(name => ({ name, href: `${input.form.action}?${new URLSearchParams({ q: name })}` }))
  } catch {
    return []
  }
}

for (const form of document.querySelectorAll('form[data-everywhere]')) {
  form.addEventListener('submit', () => {
    const question = form.elements.q.value.trim()
    const others = recent(form.elements.q).map(({ name }) => name)
    const questions = [question, ...others.filter(other => other !== question)].slice(0, 5)
    if (question !== '') localStorage.setItem('questions', JSON.stringify(questions))
  })
}

document.querySelector('form[action="/logout"]')?.addEventListener('submit', () => {
  localStorage.removeItem('questions')
})

for (const within of document.querySelectorAll('[data-within] > a')) {
  within.addEventListener('click', event => {
    const form = within.closest('form')
    const input = form.querySelector('input[type=search]')
    event.preventDefault()
    form.action = form.dataset.everywhere
    delete input.dataset.within
    within.parentElement.remove()
    input.focus()
  })
}
