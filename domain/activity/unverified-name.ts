/** The label of an app with an unverified name, for text without a mark. */
export const unverifiedName = (name: string) => `${name} (unverified)`
