/** What the tool `svc`, the pages and `svc ask` answer (GRAPH §5). Scores only order; they compare within one answer. */
export interface Answer {
  safe: { id: string; name: string }
  mode: 'search' | 'entity' | 'path' | 'walk' | 'overview'
  /** What of the question was recognised: the words as asked, and the entity's name. */
  linked: { text: string; entity: string }[]
  facts: AnswerFact[]
  passages: AnswerPassage[]
  /** Names of the entities the answer is about, best first. */
  entities: string[]
  /** Facts and passages found, before `limit` and `max_tokens`. */
  total: number
  truncated: boolean
  next_cursor: string | null
  /** Sentences an assistant can act on: why it is empty, what came near, how to ask on. */
  hints: string[]
}

export interface AnswerFact {
  id: string
  subject: string
  predicate: string
  object: string
  /** Names of the imports that say so. */
  sources: string[]
  score: number
}

export interface AnswerPassage {
  id: string
  title: string
  text: string
  source: string
  score: number
}
