import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'

/** A field of a form or an address: one value, without NUL characters. */
export const TextField = (maxLength = 1000) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })

/** The key of a thing, which can be as long as a name. */
export const KeyField = () => TextField(4096)

/** An id created by this service. An unknown one leads to a 404 or to an empty list. */
export const IdField = () => Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' })

/** The id of an invitation. Those of earlier versions are hashes. */
export const InvitationId = () => Type.String({ pattern: '^[\\w-]{1,64}$' })

/** The number of an import. */
export const ImportNumber = () => Type.String({ pattern: '^[1-9][0-9]{0,8}$' })

/** The Safe of `/safes/:safeId/…`. Any text, because every Safe that cannot be read answers 404. */
export const SafeParams = Type.Object({ safeId: Type.String() })

/** The schemas of a route. */
interface RouteSchema {
  params?: TSchema
  querystring?: TSchema
  headers?: TSchema
  body?: TSchema
}

type Part<Schema, Name extends string> =
  Schema extends Record<Name, infer Member> ? (Member extends TSchema ? Static<Member> : unknown) : unknown

/** The request of a route with these schemas, for handlers that are named functions. */
export type RequestOf<Schema extends RouteSchema> = FastifyRequest<{
  Params: Part<Schema, 'params'>
  Querystring: Part<Schema, 'querystring'>
  Headers: Part<Schema, 'headers'>
  Body: Part<Schema, 'body'>
}>

/** The app as passed to files of routes: requests have the types of their route's schemas. */
export type TypedApp = Parameters<FastifyPluginAsyncTypebox>[0]
