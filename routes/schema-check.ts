import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { FastifyServerOptions } from 'fastify'

/**
 * Makes Fastify validate requests with the compiler that also validates tool calls. Its defaults, Ajv and
 * fast-json-stringify, would take a tenth of the start-up time. No route has a response schema.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => compileValidator,
    buildSerializer: () => () => JSON.stringify,
  },
  // Fastify's types only describe Ajv.
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

/** Returns the maximum length if a string exceeds it, otherwise null. */
function lengthExceeded({ maxLength }: TSchema, value: unknown): number | null {
  return typeof value === 'string' && typeof maxLength === 'number' && value.length > maxLength
    ? maxLength
    : null
}

/** Compiles on the first request, because compiling all routes would slow down every start. */
function compileValidator({ schema }: { schema: TSchema }) {
  let compiled: TypeCheck<TSchema> | undefined
  return (value: unknown) => {
    compiled ??= TypeCompiler.Compile(schema)
    const check = compiled
    if (check.Check(value)) return { value }
    return {
      error: Array.from(check.Errors(value), ({ path, message, schema, value }) => ({
        instancePath: path,
        message,
        params: { tooLongFor: lengthExceeded(schema, value) },
      })),
    }
  }
}
