import { Parser } from 'htmlparser2'
import { piecesOf } from './lines.js'

export type Attributes = Record<string, string>

/** What is done when an element ends. */
export type End = (() => void) | undefined

/** Reads XML in pieces. What its elements begin and end is up to the format. Entities of a DTD are not expanded. */
export abstract class ElementReader {
  readonly #names: string[] = []
  readonly #ends: End[] = []
  #isHidden = false
  readonly #parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const above = this.#names.at(-1) ?? ''
        this.#names.push(this.named(name))
        this.#ends.push(this.#isHidden ? undefined : this.open(this.#names.at(-1) ?? '', attributes, above))
      },
      ontext: text => {
        if (!this.#isHidden) this.text(text, this.#names.at(-1) ?? '')
      },
      onclosetag: () => {
        this.#names.pop()
        this.#ends.pop()?.()
      },
    },
    { xmlMode: true },
  )

  write(xml: string): void {
    for (const piece of piecesOf(xml)) this.#parser.write(piece)
  }

  end(): void {
    this.#parser.end()
  }

  /** Elements around. */
  protected get depth(): number {
    return this.#names.length
  }

  /** An element begins. @param above the name of the one around it */
  protected abstract open(name: string, attributes: Attributes, above: string): End

  /** @param within the name of the element that it is in */
  protected abstract text(text: string, within: string): void

  /** How elements are called: with their prefix. */
  protected named(name: string): string {
    return name
  }

  /** Leaves out what is in the element that begins. */
  protected hide(): End {
    this.#isHidden = true
    return () => {
      this.#isHidden = false
    }
  }
}
