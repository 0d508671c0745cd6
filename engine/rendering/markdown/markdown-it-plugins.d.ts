declare module 'temml' {
  /** Its types are not found beside its module. */
  const temml: { renderToString(tex: string, options: object): string }
  export default temml
}

/** Plugins without types. */
declare module 'markdown-it-deflist'
declare module 'markdown-it-footnote'
