// The pictures work without this. It hides types, highlights the lines of a name, and draws the second ring in
// place; without it, the link below the picture leads to that ring.
for (const card of document.querySelectorAll('[data-picture]')) improve(card)

function improve(card) {
  // If it does not fit, the main thing is in its middle.
  const box = card.querySelector('.drawing')
  box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2
  const status = card.querySelector('[role=status]')
  addFilter(card.querySelector('svg'), status)
  addHighlight(card.querySelector('svg'))
  const link = card.querySelector('[data-wider]')
  if (link) addWider(card.querySelector('svg'), link, status)
}

const numbersOf = element => element.dataset.n.split(' ')

/** Each type of the legend becomes a button that hides and shows the things of this type. */
function addFilter(svg, status) {
  const marked = [...svg.querySelectorAll('[data-n]')]
  const dots = marked.filter(({ localName }) => localName === 'circle')
  const toggle = key => {
    key.setAttribute('aria-pressed', String(key.getAttribute('aria-pressed') === 'false'))
    const off = [...svg.querySelectorAll('.key[aria-pressed=false]')].map(({ dataset }) => `t-${dataset.t}`)
    const hidden = dots
      .filter(dot => off.some(name => dot.classList.contains(name)))
      .map(({ dataset }) => dataset.n)
    for (const element of marked)
      element.classList.toggle(
        'off',
        numbersOf(element).some(number => hidden.includes(number)),
      )
    status.textContent = status.dataset.shown
      .replace('{shown}', dots.length - hidden.length)
      .replace('{all}', dots.length)
  }
  for (const key of svg.querySelectorAll('.key')) {
    key.setAttribute('role', 'button')
    key.setAttribute('tabindex', '0')
    key.setAttribute('aria-pressed', 'true')
    key.addEventListener('click', () => toggle(key))
    key.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      toggle(key)
    })
  }
}

/** Highlights the lines of the name under the pointer or with the focus; lines of the second ring appear. */
function addHighlight(svg) {
  const mark = target => {
    const number = target?.closest('a[data-n], circle[data-n]')?.dataset.n
    svg.classList.toggle('lit', number !== undefined)
    for (const line of svg.querySelectorAll('path[data-n]'))
      line.classList.toggle('lit', numbersOf(line).includes(number))
  }
  svg.addEventListener('pointerover', event => mark(event.target))
  svg.addEventListener('pointerleave', () =>
    mark(svg.contains(document.activeElement) ? document.activeElement : null),
  )
  svg.addEventListener('focusin', event => mark(event.target))
  svg.addEventListener('focusout', () => mark(null))
}

/** The link becomes a button that exchanges the two pictures. */
function addWider(narrow, link, status) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'secondary quiet'
  button.textContent = link.textContent
  link.replaceWith(button)
  let shown = narrow
  let wide = null
  button.addEventListener('click', async () => {
    wide ??= await fetchPicture(link.href)
    if (!wide) return location.assign(link.href)
    const next = shown === narrow ? wide : narrow
    shown.replaceWith(next)
    shown = next
    button.textContent = shown === narrow ? link.textContent : link.dataset.narrower
    status.textContent = shown.getAttribute('aria-label')
  })

  async function fetchPicture(href) {
    const response = await fetch(href).catch(() => null)
    if (!response?.ok || response.redirected) return null
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const svg = page.querySelector('[data-picture] svg')
    if (!svg) return null
    addFilter(svg, status)
    addHighlight(svg)
    return svg
  }
}
