/** The target of a Word field, `HYPERLINK "https://…" \\o "…"`; empty if it is not a link. */
export const addressIn = (code: string): string =>
  /^\s{0,20}HYPERLINK\s{1,20}"([^"]{1,2000})"/i.exec(code)?.[1] ?? ''
