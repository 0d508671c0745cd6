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

function checkOf({ schema }: { schema: TSchema }) {
  const check = TypeCompiler.Compile(schema)
  return (value: unknown) => {
    if (check.Check(value)) return { value }
    return {
      error: Array.from(check.Errors(value), ({ path, message }) => ({ instancePath: path, message })),
    }
  }
}
