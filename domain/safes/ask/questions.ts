import { type SearchResults, search } from '../browse/search.js'
import type { Counting } from '../counting.js'
import type { SafesShared } from '../dependencies.js'
import { Parts } from '../documents/parts.js'
import type { Reading } from '../documents/reading.js'
import type { Question } from '../safe.js'
import type { Answer } from './answer.js'
import { ask, type RunInTurn } from './ask.js'
import { type AllAnswers, askAll } from './ask-all.js'
import { Recent } from './recent.js'
import { WorkTurns } from './work-turns.js'

/** Maximum Safes found by name with exact counts; pages show fewer. */
const MAX_NAMED = 20

type QuestionsDependencies = Pick<
  SafesShared,
  'safes' | 'documents' | 'documentFolders' | 'indexes' | 'rows' | 'baseUrl'
> & {
  reading: Reading
  counting: Counting
}

/** Questions to a Safe or to all Safes of an account. Accounts take turns. Methods throw `notFound` for Safes the account may not read. */
export class Questions {
  readonly #dependencies: QuestionsDependencies & { parts: Parts; recent: Recent }
  readonly #turns = new WorkTurns()

  constructor(dependencies: QuestionsDependencies) {
    const { documents, documentFolders, reading } = dependencies
    const parts = new Parts({ documents, documentFolders, reading })
    this.#dependencies = { ...dependencies, parts, recent: new Recent({ documents }) }
  }

  /**
   * Answers a question. `onWork` receives the milliseconds that each part of the work took in this thread. After
   * `signal` is aborted, no further part begins.
   */
  ask(
    accountId: string,
    safeId: string,
    question: Question,
    onWork?: (ms: number) => void,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const inTurn: RunInTurn = work => this.#turns.run(accountId, work, onWork, signal)
    return ask(this.#dependencies, inTurn, accountId, safeId, question)
  }

  /** Asks every Safe of the account, as far as time allows. */
  askAll(accountId: string, question: Question): Promise<AllAnswers> {
    const { safes, indexes } = this.#dependencies
    return askAll(
      { safes, indexes, ask: (id, signal) => this.ask(accountId, id, question, undefined, signal) },
      accountId,
    )
  }

  /** Safes and things by name, in all Safes of the account. Takes bounded time, regardless of their number and size. */
  async search(
    accountId: string,
    text: string,
    most: { groups: number; limit: number },
  ): Promise<SearchResults> {
    const found = await search(this.#dependencies, accountId, text, most)
    const named = found.safes.slice(0, MAX_NAMED)
    return {
      ...found,
      safes: [...(await this.#dependencies.counting.of(named)), ...found.safes.slice(MAX_NAMED)],
    }
  }
}
