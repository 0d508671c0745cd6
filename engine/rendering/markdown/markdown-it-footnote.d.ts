declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'

  /** The package has no types. */
  export default function footnotes(markdown: MarkdownIt): void
}
