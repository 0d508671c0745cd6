import { type TSchema, Type } from '@sinclair/typebox'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Schemas of the answers of a route of the API by status, for its description. Null: no body. */
    answers?: Record<number, TSchema | null>
    /** The content type of a body that is not JSON. */
    takes?: string
  }
}

export const SafeParams = Type.Object({
  safe: Type.String({ maxLength: 200, description: 'The id of a Safe, or its name.' }),
})

export const Time = Type.String({ format: 'date-time', description: 'In UTC.' })

export const BadLines = Type.Array(
  Type.Object({
    file: Type.Optional(Type.String({ description: 'In a folder or an archive.' })),
    line: Type.Integer(),
    problem: Type.String(),
  }),
)

/** The schema of a value that may be null. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
