/** Whether a text in this value has a NUL. Only for validated values, which cannot be nested deeper than their schema. */
export function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul)
}
