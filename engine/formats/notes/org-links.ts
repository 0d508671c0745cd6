import type { SourceFile } from '../shared/format.js'
import { wikilink } from '../shared/markdown-text.js'
import { NoteNames } from './note-names.js'

const WEB = /^(?:https?|ftp|mailto|news|irc|tel|sms|gemini|magnet):/i
const FILE = /^(?:file(?:\+(?:sys|emacs))?:|attachment:|docview:|pdf:)/i
const PATH = /^(?:\.{0,2}\/|~\/)/
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i
const NOTE = /\.(?:org|md|markdown)$/i
/** Folders of a Logseq graph, where `[[text]]` links to a page; elsewhere it links to a place in the file. */
const LOGSEQ = /(?:^|\/)(?:pages|journals)\//
const MAX_ABBREVIATIONS = 100

/** Resolves the links of one Org file and writes them as Markdown. */
export class OrgLinks {
  readonly #notes: NoteNames
  readonly #path: string
  /** Addresses by their `#+LINK:` names. */
  readonly #abbreviations = new Map<string, string>()

  constructor({ path, notes = new NoteNames() }: Pick<SourceFile, 'path' | 'notes'>) {
    this.#path = path
    this.#notes = notes
  }

  /** `#+LINK: name https://example.org/%s` */
  abbreviate(definition: string): void {
    const [name = '', address = ''] = definition.trim().split(/\s+/, 2)
    if (address !== '' && this.#abbreviations.size < MAX_ABBREVIATIONS)
      this.#abbreviations.set(name.replace(/^"|"$/g, ''), address)
  }

  /** `shown` is Markdown; empty if the link has no description. */
  link(written: string, shown: string): string {
    const target = this.#expanded(written.replace(/\s+/g, ' ').trim())
    if (WEB.test(target)) return webLink(target, shown)
    const [scheme = '', rest = ''] = target.split(/:(.*)/s, 2)
    if (scheme === 'doi') return webLink(`https://doi.org/${rest}`, shown || rest)
    if (scheme === 'id' || scheme === 'denote') return this.#byId(rest, shown)
    if (scheme === 'roam') return noteLink(rest, shown)
    const place = target.slice(1).trim()
    if (target.startsWith('#')) return noteLink(placeOf(place), shown || place)
    if (target.startsWith('*')) return noteLink(`#${place}`, shown || place)
    if (FILE.test(target) || PATH.test(target)) return this.#file(target.replace(FILE, ''), shown)
    // Links that only Emacs can follow: `elisp:`, `info:`, `shell:`.
    if (/^[a-z][\w+.-]{1,30}:(?!\s)/i.test(target)) return shown || `\`${target.replaceAll('`', "'")}\``
    if (IMAGE.test(target)) return picture(target, shown)
    const isNote = LOGSEQ.test(this.#path) || this.#notes.ofKnown(target, this.#path) !== null
    return noteLink(isNote ? target : `#${target}`, shown || target)
  }

  #expanded(target: string): string {
    const at = target.indexOf(':')
    const address = at > 0 ? this.#abbreviations.get(target.slice(0, at)) : undefined
    if (address === undefined) return target
    const rest = target.slice(at + 1)
    return /%[sh]/.test(address)
      ? address.replace(/%[sh]/, () => encodeURI(rest.toWellFormed()))
      : address + rest
  }

  #byId(id: string, shown: string): string {
    const [own = ''] = id.split('::', 1)
    const place = this.#notes.ids.get(own.toLowerCase())
    const path = place?.path ?? this.#notes.ofTitle(own) ?? this.#notes.ofTitle(shown)
    if (path === null || path === undefined) return shown || own
    const anchor = place === undefined || place.isWhole ? '' : placeOf(own)
    return noteLink(`${path}${anchor}`, shown || path.slice(path.lastIndexOf('/') + 1))
  }

  #file(written: string, shown: string): string {
    const [path = '', place = ''] = written.split('::', 2)
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (IMAGE.test(path)) return picture(path, shown)
    // Paths elsewhere on the computer are not files of the folder.
    if (/^[/~]/.test(path)) return shown || name
    if (!NOTE.test(path)) return `[${labelOf(shown) || name}](${addressOf(path)})`
    const heading = place.replace(/^\*/, '')
    const isHeading = heading !== '' && !/^(?:#|\d+$)/.test(heading)
    const anchor = isHeading ? `#${heading}` : placeOf(heading.replace(/^(?:#|\d+$)/, ''))
    return noteLink(`${path.replace(NOTE, '')}${anchor}`, shown || name.replace(NOTE, ''))
  }
}

/** The anchor for an id, limited to valid characters; empty if there is none. */
export function anchorOf(id: string): string {
  const name = id
    .trim()
    .replace(/[^A-Za-z0-9-]/g, '-')
    .slice(0, 40)
  return /^[A-Za-z0-9][A-Za-z0-9-]{3,}$/.test(name) ? name : ''
}

/** The anchor as part of a link. */
const placeOf = (id: string) => (anchorOf(id) === '' ? '' : `#^${anchorOf(id)}`)

const webLink = (address: string, shown: string) =>
  shown === '' || shown === address ? addressOf(address) : `[${labelOf(shown)}](${addressOf(address)})`

/** A picture used as a description is shown without a link. */
const picture = (path: string, shown: string) =>
  `![${labelOf(shown).replace(/^!.*/, '')}](${addressOf(path)})`

function noteLink(target: string, shown: string): string {
  const label = labelOf(shown).replace(/\|/g, '∣')
  if (target === '' || /[[\]|\n]/.test(target) || target.length > 500) return label || target
  return wikilink(target, label)
}

/** A description on one line, with brackets escaped. */
const labelOf = (shown: string) =>
  shown.startsWith('![') ? shown : shown.replace(/\s+/g, ' ').replace(/\[/g, '(').replace(/\]/g, ')').trim()

const addressOf = (address: string) =>
  address.replace(/[ ()<>]/g, found => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)
