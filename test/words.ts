/** A list of texts without spaces, as in many tables of cases. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
