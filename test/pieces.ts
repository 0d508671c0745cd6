/** A list of texts that is written with ¦ between them. */
export const pieces = (...rows: string[]) => rows.flatMap(row => row.split('¦'))
