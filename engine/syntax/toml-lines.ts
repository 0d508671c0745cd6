const TABLE = /^\s*\[\s*([\w".-]{1,100})\s*\]\s*(?:#.*)?$/
const PAIR = /^\s*("[^"\\]{1,100}"|[\w.-]{1,100})\s*=\s*(\S.*)$/
/** Syntax that YAML reads differently: multi-line strings, inline tables, and strings with backslashes that are not escapes. */
const OTHER = /^(?:"""|'''|'[^']*\\)|^[^"'#]*\{/

/**
 * Front matter in TOML, which Hugo and Zola write between `+++`, as YAML, line by line: `[table]` and `key = value`. Other TOML
 * is refused.
 */
export class TomlLines {
  #indent = ''
  /** A list that continues. */
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

  /** Counts brackets outside of strings. */
  #list(yaml: string, toml: string): string {
    // An unclosed string extends to the end: searching for its end repeatedly takes quadratic time.
    const bare = toml.replace(/"(?:[^"\\]|\\.)*"?|'[^']*'?|#.*/g, '')
    this.#open += bare.split('[').length - bare.split(']').length
    return yaml
  }
}
