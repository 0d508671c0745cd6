/** Names by which browsers and programs identify themselves. Most contain the names that follow them here. */
const PROGRAMS: readonly (readonly [mark: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
]
const SYSTEMS: readonly (readonly [mark: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

/** "Chrome on Windows", as far as a `User-Agent` header shows; null if it shows nothing. */
export function browserName(userAgent: string | null): string | null {
  const nameIn = (names: typeof PROGRAMS) => names.find(([mark]) => userAgent?.includes(mark))?.[1]
  const [program, system] = [nameIn(PROGRAMS), nameIn(SYSTEMS)]
  if (program && system) return `${program} on ${system}`
  return program ?? system ?? null
}
