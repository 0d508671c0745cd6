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
