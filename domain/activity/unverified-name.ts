/** An app whose name is only what it calls itself, where text has no mark. */
export const unverifiedName = (name: string) => `${name} (unverified)`
