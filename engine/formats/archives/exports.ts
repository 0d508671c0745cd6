import { type Format, lazily } from '../shared/format.js'

/** Bookmarks exported from a browser (Netscape's format): each an entity in its folder. */
export const bookmarks: Format = {
  id: 'bookmarks',
  title: 'Bookmarks of a browser',
  extensions: ['html', 'htm'],
  mayBeLegacy: true,
  begins: /^<!DOCTYPE NETSCAPE-Bookmark-file-1>/i,
  parse: lazily(async () => (await import('./bookmark-list.js')).readBookmarks),
}

/** An Evernote export (ENEX): each note is a document with its dates, tags and links. */
export const evernote: Format = {
  id: 'evernote',
  title: 'Evernote export',
  extensions: ['enex'],
  hasParts: true,
  mayBeLegacy: true,
  tells: /^(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!DOCTYPE en-export\b[^>]{0,200}>\s{0,20})?<en-export\b/i,
  parse: lazily(async () => (await import('./evernote-notes.js')).readEvernote),
}

/** An outline (OPML 2): the text of an outliner, or the feeds of a feed reader, each an entity in its folder. */
export const opml: Format = {
  id: 'opml',
  title: 'Outline or feeds (OPML)',
  extensions: ['opml'],
  isRewritten: true,
  mayBeLegacy: true,
  tells: /^(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!--[\s\S]{0,900}?-->\s{0,20})?<opml\b/i,
  parse: lazily(async () => (await import('./outline.js')).readOutline),
}

/** A WordPress export (WXR): each post and page is a document. */
export const wordpress: Format = {
  id: 'wordpress',
  title: 'WordPress export (WXR)',
  extensions: ['xml', 'wxr'],
  hasParts: true,
  isRewritten: true,
  mayBeLegacy: true,
  tells:
    /^(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!--[^>]{0,300}WordPress eXtended RSS|<rss\s[^>]{0,800}xmlns:wp\s{0,3}=\s{0,3}["']https?:\/\/wordpress\.org\/export\/)/,
  parse: lazily(async () => (await import('./wordpress-site.js')).readWordPress),
}

/** A Roam Research graph (JSON): each page is a note, read like those of Logseq. */
export const roam: Format = {
  id: 'roam',
  title: 'Roam Research export (JSON)',
  extensions: ['json'],
  hasParts: true,
  begins:
    /^\[\s{0,20}\{\s{0,20}(?:"title"\s{0,5}:\s{0,5}"(?:[^"\\]|\\.){0,500}"\s{0,5},\s{0,20})?"(?:children|string|uid|create-time|edit-time|create-email|edit-email|:[a-z]{1,20}\/[a-z-]{1,20})"/,
  parse: lazily(async () => (await import('./roam-pages.js')).readRoam),
}

/** A project of Todoist (CSV): each task is a thing in its section and project. */
export const todoist: Format = {
  id: 'todoist',
  title: 'Todoist project (CSV)',
  extensions: ['csv'],
  begins: /^"?TYPE"?,"?CONTENT"?,"?(?:DESCRIPTION|PRIORITY|IS_COLLAPSED)\b/,
  parse: lazily(async () => (await import('./todoist-tasks.js')).readTodoist),
}
