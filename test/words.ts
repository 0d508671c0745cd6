/** A list of texts without spaces, as a table of cases has many. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
