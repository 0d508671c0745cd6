// Signs in with a passkey, or creates one: asks the browser, puts its answer into the form and sends the form.
const decode = text =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), character => character.charCodeAt(0))

const encode = bytes =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** As `PublicKeyCredential.parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON`, which older browsers lack. */
function parse({ user, excludeCredentials = [], ...options }) {
  return {
    ...options,
    challenge: decode(options.challenge),
    ...(user && { user: { ...user, id: decode(user.id) } }),
    excludeCredentials: excludeCredentials.map(credential => ({ ...credential, id: decode(credential.id) })),
  }
}

/** As `PublicKeyCredential.toJSON`. */
function toJSON({ id, rawId, type, response }) {
  const encoded = {}
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'])
    if (response[name]) encoded[name] = encode(response[name])
  return { id, rawId: encode(rawId), type, response: encoded, clientExtensionResults: {} }
}

async function ask({ challenge, options }) {
  if (options) return navigator.credentials.create({ publicKey: parse(JSON.parse(options)) })
  const response = await fetch(challenge)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return navigator.credentials.get({ publicKey: parse(await response.json()) })
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential) continue
  const problem = form.querySelector('[role=alert]')
  form.hidden = false
  form.addEventListener('submit', async event => {
    event.preventDefault()
    problem.textContent = ''
    try {
      form.elements.credential.value = JSON.stringify(toJSON(await ask(form.dataset)))
      form.submit()
    } catch {
      problem.textContent = form.dataset.failed
    }
  })
}
