import { pairs } from './pairs.js'

/** Encoding Standard names of Windows and old Mac code pages, except those computed from the number below. */
const NAMED = pairs(`874 windows-874 932 shift_jis 936 gbk 949 euc-kr 950 big5 10000 macintosh 20866 koi8-r
  20932 euc-jp 28603 iso-8859-13 28605 iso-8859-15 50220 iso-2022-jp 51932 euc-jp 51949 euc-kr 65001 utf-8`)

/** The encoding of a code page; windows-1252 for unknown ones. */
export function encodingOf(codePage: number): string {
  const named = NAMED.get(String(codePage))
  if (named !== undefined) return named
  if (codePage >= 28_592 && codePage <= 28_599) return `iso-8859-${codePage - 28_590}`
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252'
}

/** Font character sets (`fcharset`) in the Encoding Standard's names. */
export const FONT_CHARSETS = pairs(`77 macintosh 128 shift_jis 129 euc-kr 134 gbk 136 big5 161 windows-1253
  162 windows-1254 163 windows-1258 177 windows-1255 178 windows-1256 186 windows-1257 204 windows-1251
  222 windows-874 238 windows-1250`)
