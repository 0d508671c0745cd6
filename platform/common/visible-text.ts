/**
 * Invisible characters: control, format (including bidi marks and tags), private-use, unassigned, line ends,
 * lone surrogates, and ignorable ones (variation selectors, fillers such as U+3164).
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Emoji with a skin tone or presentation modifier, also several joined into one, and keycaps (UTS #51). */
const EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?)*|[0-9#*]\ufe0f\u20e3/u
/** The flags of England, Scotland and Wales, the only sequences of tags in use. */
const FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u
/** Letters of scripts in which a joiner or non-joiner changes how words look. Between other letters it is invisible. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]/u
const KEPT_OR_HIDDEN = new RegExp(
  `(${FLAG.source}|${EMOJI.source}|(?<=${JOINING.source})[\\u200c\\u200d](?=${JOINING.source})|[\\t\\n])|${HIDDEN.source}`,
  'gu',
)
/** Spaces, and characters that look like them: blank Braille, musical and Egyptian ones. */
const BLANKS = /[\s\u2800\u{1d159}\u{13441}\u{13442}]+/gu
/** No language needs more than four marks on a letter. Longer stacks would cover neighbouring lines. */
const STACKED_MARKS = /([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu
/** Leading marks would combine with the text before. */
const LEADING_MARKS = /^[\p{M} ]+/u

/**
 * The text on one line and without misleading or invisible characters. Empty if nothing is visible. Emoji, and
 * joiners between letters that need them, stay.
 */
export function visibleText(text: string): string {
  return printable(text.replace(BLANKS, ' '))
    .replace(STACKED_MARKS, '$1')
    .replace(/ +/g, ' ')
    .replace(LEADING_MARKS, '')
    .trim()
}

/** The text without characters that a terminal would interpret or hide. Line ends, tabs and spaces stay. */
export const printable = (text: string): string => text.replace(KEPT_OR_HIDDEN, '$1')
