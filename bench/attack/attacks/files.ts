import { setTimeout as pause } from 'node:timers/promises'
import { findFormat } from '../../../formats/readers/index.js'
import { messages } from '../../../messages.js'
import { attacks as hostileFiles } from '../../../test/deep/faults/hostile-files.js'
import { unkeyedHash } from '../../../test/unit/graph/unkeyed-hash.js'
import { zip } from '../../../test/zip.js'
import { ask } from '../ask.js'
import type { Attack, Service } from '../attack.js'
import { Browser } from '../browser.js'

/** Whoever waits longer for an import or its index has been held up. */
const PATIENCE_MS = 60_000
/** What the Safe has to say of each name. */
const SECRET = 'lives in the swamp of Lerna'
const STATES = ['staging', 'staged', 'committed', 'failed'] as const
type State = (typeof STATES)[number]

/** Files that each held the whole service for seconds or minutes, uploaded through the page by somebody with an account. */
export const attack: Attack = {
  name: 'hostile files of a member',
  limits: { holdMs: 60, honestShare: 0.95 },
  async run(service) {
    const member = await Member.signedIn(service)
    const states: State[] = []
    for (const { format, text } of hostileFiles) {
      const extension = findFormat(format)?.extensions[0]
      states.push(await member.read(`hostile.${extension}`, text))
    }
    const bomb = await member.read('bomb.zip', zipBomb())
    if (bomb !== 'failed') throw new Error(`a zip bomb is ${bomb}`)
    const names = namesOfOneHash(100_000)
    await member.add('aliases.jsonl', aliases(40_000))
    await member.finds(SECRET, 'Who is head 17 and who is head 39999?')
    await member.add('names.jsonl', names.map(name => entity(name)).join(''))
    await member.finds(`${names[20]} ${SECRET}`, `Who is ${names[20]}?`)
    const count = (state: State) => `${states.filter(each => each === state).length} ${state}`
    return `${count('staged')}, ${count('failed')}; 140,000 names found`
  },
}

/** Somebody who uploads with a browser. */
class Member {
  readonly #service: Service
  readonly #browser: Browser

  private constructor(service: Service) {
    this.#service = service
    this.#browser = new Browser(service.url)
  }

  static async signedIn(service: Service): Promise<Member> {
    const member = new Member(service)
    const { email, password } = service.attacker
    const { status } = await member.#browser.signIn(email, password)
    if (status !== 303) throw new Error(`the sign-in got ${status}`)
    return member
  }

  /** Has a file read. @returns what became of it */
  async read(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<State> {
    return (await this.#upload(name, content)).state
  }

  /** Has a file read and adds it to the Safe. */
  async add(name: string, content: string): Promise<void> {
    const { path, state } = await this.#upload(name, content)
    if (state !== 'staged') throw new Error(`${name} is ${state}`)
    const { status } = await this.#browser.submit(path, `${path}/commit`, {}, PATIENCE_MS)
    if (status !== 303) throw new Error(`adding ${name} got ${status}`)
  }

  /** Asks until what was added is found: an index is built for it meanwhile. */
  async finds(text: string, question: string): Promise<void> {
    const { url, attacker } = this.#service
    const endsAt = performance.now() + PATIENCE_MS
    for (;;) {
      const answer = await ask(url, attacker.token, question, PATIENCE_MS)
      if (answer.text.includes(text)) return
      if (performance.now() > endsAt) throw new Error(`"${question}" found nothing (${answer.status})`)
      await pause(500)
    }
  }

  async #upload(name: string, content: string | Uint8Array<ArrayBuffer>) {
    const { status, location } = await this.#browser.upload(this.#service.attacker.safeId, name, content)
    if (status !== 303 || !location) throw new Error(`the upload of ${name} got ${status}`)
    const endsAt = performance.now() + PATIENCE_MS
    for (;;) {
      const { body } = await this.#browser.send(location)
      const state = STATES.find(state => body.includes(`<h1>${messages.imports[state]}</h1>`))
      if (state && state !== 'staging') return { path: location, state }
      if (performance.now() > endsAt) throw new Error(`${name} is still being read`)
      await pause(100)
    }
  }
}

const line = (record: object) => `${JSON.stringify(record)}\n`

const entity = (name: string) => line({ type: 'entity', name, observations: [`${name} ${SECRET}`] })

function aliases(count: number): string {
  const heads = Array.from({ length: count }, (_, i) =>
    line({ type: 'alias', name: 'Hydra', alias: `head ${i}` }),
  )
  return entity('Hydra') + heads.join('')
}

/** Names whose hashes share their upper bits, as long as hashes have no key: they would all be kept in the same part of a table. */
function namesOfOneHash(count: number): string[] {
  const names: string[] = []
  for (let i = 0; names.length < count; i++) {
    const name = `n${i.toString(36)}`
    if (unkeyedHash(name) >>> 27 === 7) names.push(name)
  }
  return names
}

/** 100 MB in a third of a megabyte, in files that are each too small to look at. */
function zipBomb(): Uint8Array<ArrayBuffer> {
  const content = Buffer.alloc(64 * 1024, 'a ')
  return new Uint8Array(zip(Array.from({ length: 1600 }, (_, i) => ({ name: `note ${i}.md`, content }))))
}
