const TABLE = /^\s*\[\s*([\w".-]{1,100})\s*\]\s*(?:#.*)?$/
const PAIR = /^\s*("[^"\\]{1,100}"|[\w.-]{1,100})\s*=\s*(\S.*)$/
/** What YAML reads otherwise: texts of several lines, tables in a line, and texts with backslashes that are none. */
const OTHER = /^(?:"""|'''|'[^']*\\)|^[^"'#]*\{/

/**
 * Front matter in TOML, which Hugo and Zola write between `+++`, as YAML, line by line: `[table]` and `key = value`. What TOML has
 * besides is refused.
 */
export class TomlLines {
  #indent = ''
  /** A list that goes on. */
  #open = 0

  /** The line in YAML, or null. */
  next(line: string): string | null {
    if (this.#open > 0) return this.#list(`${this.#indent}  ${line.trim()}`, line)
    if (/^\s*(?:#|$)/.test(line)) return line.trim()
    const [, table] = TABLE.exec(line) ?? []
    if (table !== undefined) {
      this.#indent = '  '
      return `${table.replace(/[".]/g, ' ').trim()}:`
    }
    const [, key = '', value = ''] = PAIR.exec(line) ?? []
    if (key === '' || OTHER.test(value)) return null
    const text = `${this.#indent}${key.replace(/"/g, '').replaceAll('.', ' ')}: ${value}`
    return value.startsWith('[') ? this.#list(text, value) : text
  }

  /** Counts brackets outside of texts. */
  #list(yaml: string, toml: string): string {
    // A text that is not closed is one until the end: looking for its end again and again takes quadratic time.
    const bare = toml.replace(/"(?:[^"\\]|\\.)*"?|'[^']*'?|#.*/g, '')
    this.#open += bare.split('[').length - bare.split(']').length
    return yaml
  }
}
