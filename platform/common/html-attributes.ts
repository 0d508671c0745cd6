const INVISIBLE =
  /(?:^|[;\s])(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|mso-hide\s{0,3}:\s{0,3}all|(?:opacity|font-size|max-height)\s{0,3}:\s{0,3}0(?:px|pt|em|%)?\s{0,3}(?:;|!|$))/i

type Attributes = Readonly<Record<string, string>>

/** Whether a browser does not show an element, by its attributes. */
export const isInvisible = (name: string, { hidden, style = '', open }: Attributes): boolean =>
  (hidden !== undefined && hidden !== 'until-found') ||
  INVISIBLE.test(style) ||
  (name === 'dialog' && open === undefined)
