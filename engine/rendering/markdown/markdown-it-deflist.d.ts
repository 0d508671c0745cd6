declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it'

  /** The package has no types. */
  export default function definitionLists(markdown: MarkdownIt): void
}
