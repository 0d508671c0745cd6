import { Kind, type SchemaOptions, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'

const KIND = 'StringEnum'
TypeRegistry.Set<{ enum: readonly string[] }>(KIND, (schema, value) => schema.enum.includes(value as string))

/** One of these texts, as `enum`: some clients turn `anyOf` of constants into as many schemas. */
export function stringEnum<const Values extends readonly string[]>(
  values: Values,
  options: SchemaOptions = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ ...options, [Kind]: KIND, type: 'string', enum: values })
}
