// Of the packages of bench/package.json: types are checked without them.
declare module 'express'
declare module 'minisearch'
declare module 'micromark'
declare module 'micromark-extension-frontmatter'
declare module 'micromark-extension-gfm'
