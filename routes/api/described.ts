import type { TSchema } from '@sinclair/typebox'

/**
 * Options of a route that the description of the API shows. `answers`: the schemas of its answers by status, null
 * without a body; `takes`: the type of its body, unless it is JSON.
 */
export const described = <Schema extends object>(
  schema: Schema,
  summary: string,
  answers: Record<number, TSchema | null>,
  takes?: string,
) => ({ schema: { ...schema, summary }, config: takes === undefined ? { answers } : { answers, takes } })
