import type { Test } from 'tap'
import type { Household } from '../../../e2e/service.js'
import type { ResultsOf } from './journey-documents.js'
import type { Step } from './scripted-model.js'

const WAITS = /waits for an owner/
const factOf = (object: string) => ({ subject: 'Zwingli', predicate: 'guards', object })

/** What its user allows an assistant to propose, and takes away again (RULES R6). */
export class Proposing {
  readonly #t: Test
  readonly #household: Household
  readonly #resultsOf: ResultsOf

  constructor(t: Test, household: Household, resultsOf: ResultsOf) {
    this.#t = t
    this.#household = household
    this.#resultsOf = resultsOf
  }

  /** Without the tick on the consent page the tool does not exist. */
  async isNotOffered(why: string): Promise<void> {
    const [answer = ''] = await this.#resultsOf([this.propose('Empty box')])
    this.#t.notMatch(answer, WAITS, why)
    this.#t.same(await this.#pending(), [])
  }

  /** Switched on later: it proposes without connecting again, an owner accepts, and it learns so. */
  async isSwitchedOn(): Promise<void> {
    const { app, owner, safe } = this.#household
    await this.#setPower(true)
    await this.isOffered('Northern cellar', 'it proposes without connecting again')
    const [proposal] = await this.#pending()
    await app.proposals.accept(owner.id, safe.id, proposal?.id ?? '', [factOf('Northern cellar')])
    const [answer = ''] = await this.#resultsOf([
      ['svc', { safe: safe.id, query: 'What does Zwingli guard?' }],
    ])
    this.#t.match(answer, /Northern cellar/, 'and is told what was accepted')
  }

  /** It proposes two edits of a note, an owner accepts one, and its next question reports that one. */
  async isAcceptedInPart(): Promise<void> {
    const { app, owner, safe } = this.#household
    const edits = [
      {
        document: 'work/Cellar.md',
        change: 'replace',
        at: 'Marta has the key.',
        text: 'Ines has the key now.',
      },
      { document: 'work/Cellar.md', change: 'append', text: 'The ladder is broken.' },
    ]
    const [waits = ''] = await this.#resultsOf([['svc_propose', { safe: safe.id, edits }]])
    this.#t.match(waits, WAITS)
    const [proposal] = await this.#pending()
    const [first, second] = (await app.proposals.find(owner.id, safe.id, proposal?.id ?? '')).texts
    this.#t.ok(second)
    const accepted = { number: 0, text: first?.text ?? '', version: first?.version ?? null }
    await app.proposals.accept(owner.id, safe.id, proposal?.id ?? '', [], [accepted])
    const [note = ''] = await this.#resultsOf([['svc', { safe: safe.id, document: 'work/Cellar.md' }]])
    this.#t.match(note, /Ines has the key now/, 'what was accepted')
    this.#t.notMatch(note, /ladder|Marta/, 'and not the rest')
  }

  /** It proposes, and the proposal is pending. */
  async isOffered(object: string, why: string): Promise<void> {
    const [waits = ''] = await this.#resultsOf([this.propose(object)])
    this.#t.match(waits, WAITS, why)
  }

  /** Switched off in the middle of a conversation: earlier proposals stay, the next call is refused. */
  async isSwitchedOffInTheMiddle(): Promise<void> {
    const [first = '', second = ''] = await this.#resultsOf([
      this.propose('Harbour light'),
      this.propose('Harbour gate', () => this.#setPower(false)),
    ])
    this.#t.match(first, WAITS)
    this.#t.notMatch(second, WAITS, 'the call after that is refused')
    const objects = (await this.#pending()).flatMap(({ statements }) =>
      statements.map(({ object }) => object),
    )
    this.#t.same(objects, ['Harbour light'])
  }

  propose(object: string, before?: () => Promise<void>): Step {
    return ['svc_propose', { safe: this.#household.safe.id, statements: [factOf(object)] }, before]
  }

  async #pending() {
    const { app, owner, safe } = this.#household
    return app.proposals.pending(owner.id, safe.id, { limit: 10 })
  }

  async #setPower(mayPropose: boolean): Promise<void> {
    const { app, owner } = this.#household
    const [connection] = await app.oauth.connections.listFor(owner.id, { kind: 'open' })
    await app.oauth.connections.setPowers(owner.id, connection?.id ?? '', { mayPropose })
  }
}
