/** The words of a text, which spaces or line ends separate, as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
