import { showNumber } from '../../../platform/common/format.js'

/** The report of an import, for pages and the command line. */
export const reportText = {
  leftOutFiles: {
    hidden: (count: number) => `${showNumber(count)} hidden`,
    links: (count: number) => (count === 1 ? 'one symbolic link' : `${showNumber(count)} symbolic links`),
    beside_notes: (count: number, endings: readonly string[]) => listed(count, 'beside the notes', endings),
    beside_chats: (count: number, endings: readonly string[]) =>
      listed(count, 'beside the conversations', endings),
    unknown: (count: number, endings: readonly string[], names?: readonly string[]) =>
      listed(count, 'of formats that are not read', endings, names),
    unreadable: (count: number, endings: readonly string[], names?: readonly string[]) =>
      listed(count, 'that cannot be read', endings, names),
  },
  tables: {
    named: (thing: string, columns: readonly string[]) =>
      `each row is a thing of type “${thing}”, named by ${columns.map(column => `“${column}”`).join(' and ')}.`,
    numbered: (thing: string) =>
      `each row is a thing of type “${thing}”; no column names it, so rows are numbered.`,
    other: (columns: readonly string[]) =>
      `The names could also be in ${columns.map(column => `“${column}”`).join(', ')}:`,
  },
  mergedNames: {
    text: ({ count, examples }: { count: number; examples: readonly unknown[] }) => {
      const differ = 'names that differ only in capitals, accents or form'
      if (count === 1) return `One thing has ${differ}. They count as one:`
      const some = count > examples.length ? `. The first ${examples.length}:` : ':'
      return `${showNumber(count)} things have ${differ}. Those of each count as one${some}`
    },
    pair: (names: readonly string[]) => names.map(name => `“${name}”`).join(' and '),
    advice:
      'If two of these names mean different things, rename one in the file, for example to “recipe (property)”, ' +
      'and add it again in place of this one. “svc safe split” cannot take them apart.',
  },
}

/** “12 beside the notes (.png, .jpg)” */
function listed(
  count: number,
  what: string,
  endings: readonly string[],
  names: readonly string[] = [],
): string {
  const which = [...endings.map(ending => `.${ending}`), ...names].join(', ')
  return `${showNumber(count)} ${what}${which === '' ? '' : ` (${which})`}`
}
