import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const encode = (data: string | Buffer) => Buffer.from(data).toString('base64url')

/** A change of an answer by a test. */
export interface Changes {
  origin?: string
  rpId?: string
  challenge?: string
  /** The person was not verified. */
  unverified?: boolean
  counter?: number
  userHandle?: string
  /** Signed with the key of another authenticator. */
  forged?: boolean
}

/** The visible part of an authenticator: one ES256 key, no attestation (WebAuthn §6, §8.7). */
export class Authenticator {
  readonly id = encode(randomBytes(32))
  readonly #privateKey: KeyObject
  readonly #cose: Buffer
  #userHandle = ''

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const [head, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')]
    this.#privateKey = privateKey
    this.#cose = Buffer.concat([head, Buffer.from(x, 'base64url'), between, Buffer.from(y, 'base64url')])
  }

  /** The answer to `navigator.credentials.create()`, as the form sends it. */
  create(options: { challenge: string; user: { id: string } }, changes: Changes = {}): string {
    this.#userHandle = options.user.id
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([0, id.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.#cose])
    const authData = Buffer.concat([this.#head(0x40, changes), credential])
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([authData.length]),
      authData,
    ])
    const clientDataJSON = this.#clientData('webauthn.create', options.challenge, changes)
    return this.#answer({ clientDataJSON: encode(clientDataJSON), attestationObject: encode(attestation) })
  }

  /** The answer to `navigator.credentials.get()`. */
  get({ challenge }: { challenge: string }, changes: Changes = {}): string {
    const authData = this.#head(0, changes)
    const clientDataJSON = this.#clientData('webauthn.get', challenge, changes)
    const key = changes.forged ? new Authenticator().#privateKey : this.#privateKey
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientDataJSON)]), key)
    return this.#answer({
      clientDataJSON: encode(clientDataJSON),
      authenticatorData: encode(authData),
      signature: encode(signature),
      userHandle: changes.userHandle ?? this.#userHandle,
    })
  }

  #head(flags: number, { rpId = 'safes.example', unverified = false, counter = 0 }: Changes): Buffer {
    const head = Buffer.alloc(37)
    sha256(rpId).copy(head)
    head[32] = flags | 0x01 | (unverified ? 0 : 0x04)
    head.writeUInt32BE(counter, 33)
    return head
  }

  #clientData(type: string, challenge: string, changes: Changes): string {
    const origin = changes.origin ?? 'https://safes.example'
    return JSON.stringify({ type, challenge: changes.challenge ?? challenge, origin, crossOrigin: false })
  }

  #answer(response: Record<string, string>): string {
    const { id } = this
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
  }
}
