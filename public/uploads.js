// Sends chosen or dropped files and folders in parts (tus 1.0.0). The unsent rest is stored in the browser's database, so
// that any other page continues it. Forms work without this.
const uploadBar = document.querySelector('[data-uploads]')
if (uploadBar) startUploads(uploadBar)

function startUploads(bar) {
  const MIB = 1024 * 1024
  const PART_BYTES = 2 * MIB
  /** The service reads archives of up to 512 MiB. */
  const MAX_FILE_BYTES = 511 * MIB
  /** More loose files are sent as one folder. */
  const MAX_LOOSE = 20
  const MAX_WAIT_MS = 30_000

  const texts = JSON.parse(bar.dataset.texts)
  const { account, token, safe: safeHere } = bar.dataset
  const box = document.querySelector('form[data-drop]')
  const parts = name => bar.querySelector(`[data-${name}]`)
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])
  /** Jobs that this page has begun, and those that the browser could not store. */
  const begunHere = new Set()
  const unkept = new Map()
  const stopped = new Set()
  let isRunning = false
  let isReading = false
  let wake = () => {}

  // The browser's database: jobs, and separately their bytes, which are not written again with each change of a job.
  let database
  const openDatabase = () =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open('uploads', 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore('jobs', { keyPath: 'id' })
        request.result.createObjectStore('bytes')
      }
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  async function inDatabase(mode, work) {
    database ??= openDatabase()
    const transaction = (await database).transaction(['jobs', 'bytes'], mode)
    const request = work(transaction.objectStore('jobs'), transaction.objectStore('bytes'))
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  }
  async function add(job, bytes) {
    begunHere.add(job.id)
    try {
      await inDatabase('readwrite', (jobs, all) => {
        all.put(bytes, job.id)
        return jobs.put(job)
      })
    } catch {
      unkept.set(job.id, { job, bytes })
    }
  }
  const save = job => unkept.has(job.id) || inDatabase('readwrite', jobs => jobs.put(job))
  async function forget({ id }, isWhole = true) {
    if (isWhole) unkept.delete(id)
    await inDatabase('readwrite', (jobs, all) => {
      if (isWhole) jobs.delete(id)
      return all.delete(id)
    }).catch(() => {})
  }
  async function ownJobs() {
    const kept = await inDatabase('readonly', jobs => jobs.getAll()).catch(() => [])
    return [...kept, ...[...unkept.values()].map(({ job }) => job)]
      .filter(job => job.account === account)
      .sort((a, b) => a.at - b.at)
  }
  const bytesOf = async ({ id }) =>
    unkept.get(id)?.bytes ?? (await inDatabase('readonly', (_, all) => all.get(id)))
  const isOpen = job => !job.path && !job.problem

  /** A request to the service. @throws an error with the status and the service's sentence */
  async function ask(method, path, headers, body) {
    const response = await fetch(path, {
      method,
      headers: { Accept: 'application/json', 'Tus-Resumable': '1.0.0', 'CSRF-Token': token, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    if (response.ok) return response
    const { error_description: sentence = texts.refused } = await response.json().catch(() => ({}))
    throw Object.assign(new Error(sentence), { status: response.status })
  }

  async function send(job) {
    const bytes = await bytesOf(job)
    if (!bytes) throw Object.assign(new Error(texts.gone), { status: 400 })
    const all = `/safes/${job.safe}/uploads`
    if (!job.upload) {
      const name = btoa(String.fromCharCode(...new TextEncoder().encode(job.name)))
      const headers = { 'Upload-Length': bytes.size, 'Upload-Metadata': `filename ${name}` }
      job.upload = (await ask('POST', all, headers)).headers.get('Location').split('/').at(-1)
      await save(job)
    }
    const one = `${all}/${job.upload}`
    let sent = Number((await ask('HEAD', one)).headers.get('Upload-Offset'))
    for (;;) {
      await show({ job, sent })
      if (sent >= bytes.size || stopped.has(job.id)) break
      const part = bytes.slice(sent, sent + PART_BYTES)
      const headers = { 'Upload-Offset': sent, 'Content-Type': 'application/offset+octet-stream' }
      await ask('PATCH', one, headers, part)
      sent += part.size
    }
    if (stopped.has(job.id)) return
    const body = JSON.stringify({ uploads: [job.upload], ...job.options })
    const begun = await ask(
      'POST',
      `/safes/${job.safe}/imports`,
      { 'Content-Type': 'application/json' },
      body,
    )
    job.path = `/safes/${job.safe}/imports/${(await begun.json()).id}`
  }

  /** Sends a job until it has arrived or was refused, regardless of lost connections. */
  async function sendUntilDone(job) {
    for (let wait = 1000; isOpen(job); wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        await send(job)
        if (stopped.has(job.id)) return
      } catch (error) {
        const { status = 0 } = error
        if (stopped.has(job.id)) return
        const isLost = [404, 410].includes(status) && job.upload !== undefined
        if (isLost) job.upload = undefined
        else if ([400, 404, 413].includes(status)) job.problem = error.message
        else await pause(wait, status === 0 ? texts.lost : error.message, status === 403)
      }
    }
    await save(job)
    await forget(job, false)
  }

  /** Resolves when it is time to try again, or somebody asks for it. A page of an earlier session cannot. */
  async function pause(ms, problem, isOver) {
    await show({ problem, isOver })
    await new Promise(resolve => {
      wake = isOver ? () => location.reload() : resolve
      if (!isOver) setTimeout(resolve, ms)
    })
  }

  async function run() {
    if (isRunning) return
    isRunning = true
    const work = async () => {
      for (;;) {
        const job = (await ownJobs()).find(isOpen)
        if (!job) break
        await sendUntilDone(job)
      }
    }
    // One page at a time, if the browser has locks. In other browsers the service accepts the data of the last one.
    await (navigator.locks ? navigator.locks.request('uploads', work) : work())
    isRunning = false
    const jobs = await ownJobs()
    const begun = jobs.filter(({ id }) => begunHere.has(id))
    const isAllGood = begun.length > 0 && begun.every(({ path, left }) => path && left.length === 0)
    if (box && isAllGood && begun.length === jobs.length) {
      for (const job of jobs) await forget(job)
      location.assign(resultOf(jobs))
    } else await show()
  }

  const resultOf = jobs => (jobs.length === 1 ? jobs[0].path : `/safes/${jobs[0].safe}/files`)

  async function show({ job, sent = 0, problem = '', isOver = false, reading = '' } = {}) {
    const jobs = await ownJobs()
    const open = jobs.filter(isOpen)
    const arrived = jobs.filter(({ path }) => path)
    const total = jobs.reduce((sum, { size }) => sum + size, 0)
    const done = jobs.reduce((sum, { size, ...each }) => sum + (isOpen(each) ? 0 : size), sent)
    bar.hidden = jobs.length === 0 && !reading && !problem
    const current = job ?? open[0]
    const percent = total > 0 ? Math.floor((100 * done) / total) : 0
    const text = current
      ? fill(texts.sending, { name: current.name })
      : fill(arrived.length === 1 ? texts.arrived : texts.allArrived, {
          name: arrived[0]?.name,
          count: arrived.length,
        })
    const status = parts('text')
    const shown = reading || problem || (arrived.length > 0 || current ? text : texts.none)
    if (status.textContent !== shown) status.textContent = shown
    const progress = parts('bar')
    progress.hidden = !current && !reading
    if (reading) progress.removeAttribute('value')
    else progress.value = percent
    parts('percent').textContent = current && !reading ? `${percent} %` : ''
    parts('again').hidden = !problem || !current
    parts('again').textContent = isOver ? texts.reload : texts.again
    parts('open').hidden = open.length > 0 || arrived.length === 0
    if (arrived.length > 0) parts('open').href = resultOf(arrived)
    parts('stop').hidden = Boolean(reading)
    parts('stop').textContent = open.length > 0 ? texts.stop : texts.close
    const left = jobs.flatMap(each => [
      ...each.left,
      ...(each.problem ? [`${each.name}: ${each.problem}`] : []),
    ])
    parts('left').replaceChildren(
      ...left.map(line => Object.assign(document.createElement('li'), { textContent: line })),
    )
  }

  async function stop() {
    const jobs = await ownJobs()
    for (const { id } of jobs) stopped.add(id)
    wake()
    for (const job of jobs) {
      if (isOpen(job) && job.upload) ask('DELETE', `/safes/${job.safe}/uploads/${job.upload}`).catch(() => {})
      await forget(job)
    }
    await show()
  }

  // The chosen files with their paths.
  const chosenIn = list => [...list].map(file => ({ path: file.webkitRelativePath || file.name, file }))

  /** Sorts the chosen files into jobs and adds them. */
  async function begin(chosen, options = {}) {
    isReading = true
    await show({ reading: texts.reading })
    const left = []
    const hidden = new Set()
    const files = chosen.filter(({ path, file }) => {
      const within = hiddenIn(path)
      if (within !== null) hidden.add(within)
      else if (!file) left.push(`${path}: ${texts.unreadable}`)
      else if (file.size > MAX_FILE_BYTES) left.push(`${path}: ${texts.tooLarge}`)
      else return true
      return false
    })
    if (files.length === 0) return refuse([texts.none, ...left].join(' '))
    const isLoose = files.length <= MAX_LOOSE && files.every(({ path }) => !path.includes('/'))
    const roots = [...new Set(files.map(({ path }) => path.split('/')[0]))]
    const isFolder = roots.length === 1 && !isLoose
    const name = isFolder
      ? roots[0]
      : files.length === 1
        ? files[0].path
        : fill(texts.files, { count: files.length })
    let safe = safeHere
    try {
      if (!safe) safe = await newSafe(isLoose && files.length > 1 ? texts.newSafe : name)
    } catch {
      return refuse(texts.lost)
    }
    const job = { account, safe, at: Date.now(), left }
    const commit = !safeHere
    const idOf = () =>
      Array.from(crypto.getRandomValues(new Uint32Array(4)), word => word.toString(36)).join('')
    if (isLoose) {
      for (const [at, { path, file }] of files.entries()) {
        const own = { id: idOf(), at: job.at + at, left: at === 0 ? left : [] }
        await add({ ...job, ...own, name: path, size: file.size, options: { ...options, commit } }, file)
      }
    } else {
      const strip = isFolder && commit ? roots[0].length + 1 : 0
      // The service counts them, without their contents.
      const all = [...files, ...[...hidden].map(path => ({ path, file: new Blob() }))]
      for (const [at, some] of archivesOf(all).entries()) {
        const own = { id: idOf(), at: job.at + at, name: at === 0 ? name : `${name} (${at + 1})` }
        const lost = []
        const bytes = await zipOf(some, strip, lost)
        const how = { ...options, name: own.name, format: 'zip', skip_bad: true, commit }
        const unread = lost.map(path => `${path}: ${texts.unreadable}`)
        await add(
          { ...job, ...own, size: bytes.size, left: [...(at === 0 ? left : []), ...unread], options: how },
          bytes,
        )
      }
    }
    isReading = false
    await run()
  }

  function refuse(problem) {
    isReading = false
    return show({ problem })
  }

  /** Creates a Safe with this name, with the form of the page. */
  async function newSafe(name) {
    const body = new URLSearchParams(new FormData(box))
    body.set(
      'name',
      name
        .replace(/\p{Cc}/gu, ' ')
        .replace(/(.)\.\w{1,5}$/u, '$1')
        .trim()
        .slice(0, 100) || texts.newSafe,
    )
    const response = await fetch(box.action, { method: 'POST', body })
    const safe = /^\/safes\/(\w{22})$/.exec(new URL(response.url).pathname)?.[1]
    if (!response.ok || !safe) throw new Error('no Safe was made')
    return safe
  }

  function takeDrop(event) {
    const { items, files } = event.dataTransfer
    const entries = [...items].map(item => item.webkitGetAsEntry?.()).filter(Boolean)
    if (entries.length === 0) return begin(chosenIn(files))
    return (async () => {
      await show({ reading: texts.reading })
      const chosen = []
      for (const entry of entries) for await (const each of filesIn(entry)) chosen.push(each)
      await begin(chosen)
    })()
  }

  const takesFiles = Boolean(safeHere || box)
  const hasFiles = event => takesFiles && event.dataTransfer?.types.includes('Files')
  document.addEventListener('dragover', event => {
    if (!hasFiles(event)) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  document.addEventListener('dragleave', event => {
    if (!event.relatedTarget) document.body.classList.remove('dropping')
  })
  document.addEventListener('drop', event => {
    document.body.classList.remove('dropping')
    if (!hasFiles(event)) return
    event.preventDefault()
    takeDrop(event)
  })
  if (box) {
    for (const shown of box.querySelectorAll('[data-scripted]')) shown.hidden = false
    box.hidden = false
    for (const kind of ['files', 'folder']) {
      const input = box.querySelector(`input[data-${kind}]`)
      box.querySelector(`button[data-pick=${kind}]`)?.addEventListener('click', () => input.click())
      if (kind === 'folder' || !box.querySelector('button:not([type])'))
        input?.addEventListener('change', () => begin(chosenIn(input.files)))
    }
    box.addEventListener('submit', event => {
      const input = box.querySelector('input[data-files]')
      if (input.files.length === 0) return
      event.preventDefault()
      const form = new FormData(box)
      const options = { format: form.get('format'), name_column: form.get('name_column')?.trim() }
      const given = Object.entries(options).filter(([, value]) => value)
      begin(chosenIn(input.files), { ...Object.fromEntries(given), skip_bad: form.has('skip_bad') })
    })
  }
  parts('again').addEventListener('click', () => wake())
  parts('stop').addEventListener('click', stop)
  window.addEventListener('online', () => wake())
  window.addEventListener('beforeunload', event => {
    if (isReading || [...unkept.values()].some(({ job }) => isOpen(job))) event.preventDefault()
  })
  // Jobs that have arrived are not mentioned on their own page.
  ownJobs().then(async jobs => {
    const isSeen = jobs.length > 0 && jobs.every(({ path, left }) => path && left.length === 0)
    if (isSeen && location.pathname === resultOf(jobs)) for (const job of jobs) await forget(job)
    else if (jobs.some(isOpen)) {
      await show()
      await run()
    } else await show()
  })
}
