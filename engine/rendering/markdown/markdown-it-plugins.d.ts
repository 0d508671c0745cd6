declare module 'temml' {
  /** Its types are not found beside its module. */
  const temml: { renderToString(tex: string, options: object): string }
  export default temml
}

declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it'

  /** The package has no types. */
  export default function definitionLists(markdown: MarkdownIt): void
}

declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'

  /** The package has no types. */
  export default function footnotes(markdown: MarkdownIt): void
}
