/** The path of a URL, without the query, which may contain codes, states and one-time tokens. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
