import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { FastifyServerOptions } from 'fastify'

/**
 * Has Fastify check requests with the compiler that the tools are checked with. Ajv and fast-json-stringify, which it
 * would load else, take a tenth of a start; no route has a schema of its answers.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => checkOf,
    buildSerializer: () => () => JSON.stringify,
  },
  // Their types know Ajv only.
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

/** The most characters that a text may have which has more. */
function lengthExceeded({ maxLength }: TSchema, value: unknown): number | null {
  return typeof value === 'string' && typeof maxLength === 'number' && value.length > maxLength
    ? maxLength
    : null
}

function checkOf({ schema }: { schema: TSchema }) {
  const check = TypeCompiler.Compile(schema)
  return (value: unknown) => {
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
