/** The path of a request's URL: without the query, which may carry codes, states and one-time links. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
