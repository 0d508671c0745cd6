/** A list of texts, written with ¦ between them. */
export const pieces = (...rows: string[]) => rows.flatMap(row => row.split('¦'))
