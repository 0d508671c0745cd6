/** The address that a field of Word leads to: `HYPERLINK "https://…" \\o "…"`; empty if it leads nowhere. */
export const addressIn = (code: string): string =>
  /^\s{0,20}HYPERLINK\s{1,20}"([^"]{1,2000})"/i.exec(code)?.[1] ?? ''
