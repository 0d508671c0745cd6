const LISTED =
  '77 macintosh 128 shift_jis 129 euc-kr 134 gbk 136 big5 161 windows-1253 162 windows-1254 ' +
  '163 windows-1258 177 windows-1255 178 windows-1256 186 windows-1257 204 windows-1251 222 windows-874 238 windows-1250'

/** Character sets of fonts (`fcharset`) in the Encoding Standard's names. */
export const FONT_CHARSETS: ReadonlyMap<number, string> = new Map(
  Array.from(LISTED.matchAll(/(\d+) (\S+)/g), ([, number, name = '']) => [Number(number), name]),
)
