/** Lines of a file in JSON Lines. */

export const entity = (name: string, entityType = '', ...observations: string[]): string =>
  JSON.stringify({ type: 'entity', name, entityType, observations })

/** `more`: dates, for example. */
export const relation = (from: string, relationType: string, to: string, more: object = {}): string =>
  JSON.stringify({ type: 'relation', from, relationType, to, ...more })

export const lines = (...all: readonly string[]): string => all.join('\n')
