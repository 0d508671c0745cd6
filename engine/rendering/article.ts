import type { HeadingIds } from './headings.js'

/** A document's text as HTML without scripts, handlers, forms, frames, styles and foreign images. */
export interface Article {
  html: string
  outline: ArticleHeading[]
  /** Whether the text begins with `RenderOptions.title` as its first heading. */
  hasTitle: boolean
  /** The text is shown without formatting, because rendering took too long. */
  isPlain?: true
}

export interface ArticleHeading {
  /** 1 to 6. */
  level: number
  text: string
  /** The id of its element. */
  id: string
}

/** A passage begins at this line of the text, counted from 1. Its element has the id `p-<id>`. */
export interface PassagePlace {
  id: string
  line: number
  /** Its element has the class `read`. */
  isRead?: boolean
}

/** The target of a link inside the service. */
export interface LinkTarget {
  href: string
  /** It can be shown where it is embedded. */
  isImage?: true
  /** The text of a block. */
  text?: string
}

export interface RenderOptions {
  /** The target of a `[[wikilink]]` or relative link, or null if no document or thing matches. */
  resolve(target: string): LinkTarget | null
  /** A formula of TeX as MathML, or null to show it as code. Without it, all formulas are code. */
  formula?: ((tex: string, isDisplayed: boolean) => string | null) | undefined
  passages: readonly PassagePlace[]
  /** The heading of the page. Unless the text begins with it, all headings of the text are below it. */
  title?: string | undefined
  /** Shared by the parts of a document that are rendered one by one, so that ids stay unique. */
  ids?: HeadingIds
}

/** A document that has been read, but whose links have not been looked up yet. */
export interface ParsedDocument {
  /** Each target of a wikilink or relative link once, as `resolve` will be asked for it. */
  targets: readonly string[]
  /** Whether it has formulas, which take longer to show. */
  hasFormulas?: boolean
  /** May be called once. */
  render(options: RenderOptions): Article
}

/** A document without links and headings. */
export const plainDocument = (html: (passages: readonly PassagePlace[]) => string): ParsedDocument => ({
  targets: [],
  render: ({ passages }) => ({ html: html(passages), outline: [], hasTitle: false }),
})
