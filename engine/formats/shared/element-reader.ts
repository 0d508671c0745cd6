import { Parser, type ParserOptions } from 'htmlparser2'
import { FormulaText } from '../office/formula-text.js'
import { piecesOf } from './lines.js'

export type Attributes = Record<string, string>

/** Called when an element ends. */
export type End = (() => void) | undefined

export type Handlers = Readonly<Record<string, (attributes: Attributes, above: string) => unknown>>

/** Reads XML or HTML in pieces. Subclasses define the elements of a format. Entities of a DTD are not expanded. */
export abstract class ElementReader {
  readonly #names: string[] = []
  readonly #ends: End[] = []
  #isHidden = false
  #formula: FormulaText | null = null
  readonly #parser: Parser

  /** @param named converts names, for instance to names without their prefix */
  constructor(named = (name: string) => name, options: ParserOptions = { xmlMode: true }) {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#begin(named(name), attributes),
        ontext: text => this.#add(text, this.#names.at(-1) ?? ''),
        onclosetag: () => {
          this.#names.pop()
          this.#ends.pop()?.()
        },
      },
      options,
    )
  }

  write(xml: string): void {
    for (const piece of piecesOf(xml)) this.#parser.write(piece)
  }

  end(): void {
    this.#parser.end()
  }

  /** Offset of the current tag or text, in characters. */
  protected get place(): number {
    return this.#parser.startIndex
  }

  /** Handlers for the beginning of elements by name; a returned function is called at the end. */
  protected readonly elements: Handlers = {}

  /** Called when an element begins. @param above the name of its parent */
  protected open(name: string, attributes: Attributes, above: string): End {
    const begin = Object.hasOwn(this.elements, name) ? this.elements[name] : undefined
    const end = begin?.(attributes, above)
    return typeof end === 'function' ? () => end() : undefined
  }

  /** @param within the name of the element around the text */
  protected abstract text(text: string, within: string): void

  /** Whether the content of an element is left out. */
  protected isAside(_name: string, _attributes: Attributes, _above: string): boolean {
    return false
  }

  /** Called with the nesting depth of an element. */
  protected nested(_depth: number): void {}

  /** Leaves out the content of the current element. */
  protected hide(): End {
    this.#isHidden = true
    return () => {
      this.#isHidden = false
    }
  }

  /** Reads the current element as a formula. @param add receives it as a line of text */
  protected formula(add: (text: string) => void): End {
    const formula = new FormulaText()
    this.#formula = formula
    return () => {
      this.#formula = null
      add(formula.text())
    }
  }

  #begin(name: string, attributes: Attributes): void {
    const above = this.#names.at(-1) ?? ''
    this.nested(this.#names.push(name))
    this.#ends.push(this.#isHidden ? undefined : this.#endOf(name, attributes, above))
  }

  #endOf(name: string, attributes: Attributes, above: string): End {
    if (this.isAside(name, attributes, above)) return this.hide()
    const formula = this.#formula
    if (!formula) return this.open(name, attributes, above)
    formula.open(name, attributes)
    return () => formula.close(name)
  }

  #add(text: string, within: string): void {
    if (this.#isHidden) return
    if (!this.#formula) this.text(text, within)
    else if (text.trim() !== '' || within === 't') this.#formula.add(text)
  }
}
